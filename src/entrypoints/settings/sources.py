"""Where values come from: variables, and files that variables name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic_settings import EnvSettingsSource

from entrypoints.settings.files import Unreadable, text_of
from entrypoints.settings.model import Settings
from entrypoints.settings.problems import Problem, clipped
from entrypoints.settings.variables import VARIABLES, Variable


@dataclass(frozen=True, slots=True)
class Given:
    """A value that somebody set: what it is, and by which variable, as it was written; or in which file."""

    text: str
    written: str
    file: Path | None = None

    @property
    def says(self) -> str:
        """What stands in the variable."""
        return self.text if self.file is None else str(self.file)

    @property
    def origin(self) -> str:
        """Where it came from, in words."""
        return f"file {self.file}, named by {self.written}" if self.file else f"environment, {self.written}"


@dataclass(slots=True)
class Environment:
    """What an environment says about the settings, and what is wrong with it before any value is looked at."""

    given: dict[str, Given] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_environment(environ: Mapping[str, str]) -> Environment:
    """Gather the value of each setting, by its own variable or from the file that another one names."""
    found = Environment()
    spelled: dict[str, list[str]] = {}
    for name, text in environ.items():
        # Compose files set what they do not mean to set to nothing: that counts as not set.
        if text:
            spelled.setdefault(name.upper(), []).append(name)
    for variable in VARIABLES.values():
        _gather(variable, spelled, environ, found)
    return found


def _gather(
    variable: Variable, spelled: Mapping[str, list[str]], environ: Mapping[str, str], found: Environment
) -> None:
    written = [*spelled.get(variable.name, []), *spelled.get(variable.file_name, [])]
    if len(written) > 1:
        both = " and ".join(sorted(written))
        found.problems.append(Problem(variable.name, f"{both} are both set: keep one of them"))
    elif written and written[0].upper() == variable.name:
        found.given[variable.name] = Given(environ[written[0]], written[0])
    elif written:
        _gather_file(variable, written[0], Path(environ[written[0]]), found)


def _gather_file(variable: Variable, written: str, path: Path, found: Environment) -> None:
    answer = text_of(path)
    if isinstance(answer, Unreadable):
        text = f"{written}={clipped(str(path))}: the file {answer.why}"
        found.problems.append(Problem(variable.name, text))
    else:
        found.given[variable.name] = Given(answer, written, path)


class GivenSettings(EnvSettingsSource):
    """The library's reading of names and nesting, over values that were gathered before."""

    def __init__(self, given: Mapping[str, Given]) -> None:
        """Take the values instead of looking at the process."""
        self._given = {name.lower(): value.text for name, value in given.items()}
        super().__init__(Settings)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return dict(self._given)
