"""From an environment to settings: all of it, or a line for everything that is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from entrypoints.settings.contradictions import contradictions
from entrypoints.settings.errors import SettingsError
from entrypoints.settings.model import NESTED, Settings
from entrypoints.settings.problems import Problem, messages, value_problem
from entrypoints.settings.sources import Given, GivenSettings, read_environment
from entrypoints.settings.variables import VARIABLES, unknown


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, who set what, and what somebody probably misspelled."""

    settings: Settings
    given: Mapping[str, Given]
    warnings: tuple[str, ...]

    def origin_of(self, name: str) -> str:
        """Where the value of a setting came from, in words."""
        given = self.given.get(name)
        return "default" if given is None else given.origin


def load(environ: Mapping[str, str]) -> Loaded:
    """The settings of this environment. Raises `SettingsError` with all problems at once."""
    found = read_environment(environ)
    problems = list(found.problems)
    usable = dict(found.given)
    settings = _parsed(usable, problems)
    problems += _contradicting(settings, usable, {problem.variable for problem in problems})
    if problems:
        raise SettingsError(problem.line for problem in sorted(problems, key=lambda one: one.variable))
    return Loaded(settings, found.given, tuple(unknown(sorted(environ))))


def _parsed(usable: dict[str, Given], problems: list[Problem]) -> Settings:
    """The settings with every value that can be read; what cannot be leaves `usable` and is a problem."""
    try:
        return Settings(**GivenSettings(usable)())
    except ValidationError as error:
        refused = list(messages(error))
    for location, text in refused:
        name = NESTED.join(location).upper()
        variable = VARIABLES[name]
        problems.append(value_problem(name, usable.pop(name), is_secret=variable.is_secret, text=text))
    # The rest is judged too, so that nobody mends one line only to be shown the next.
    return Settings(**GivenSettings(usable)())


def _contradicting(settings: Settings, given: Mapping[str, Given], wrong: set[str]) -> list[Problem]:
    return [
        value_problem(
            one.variable,
            given.get(one.variable),
            is_secret=VARIABLES[one.variable].is_secret,
            text=one.text,
        )
        for one in contradictions(settings, given.__contains__)
        if not ({one.variable} | one.involves) & wrong
    ]
