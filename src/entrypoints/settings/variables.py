"""The names of all settings, as an environment spells them."""

from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import Final, get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from entrypoints.settings.model import NESTED, Section, Settings

FILE_SUFFIX: Final = "_FILE"
UNITS: Final = {
    "_SECONDS": timedelta(seconds=1),
    "_HOURS": timedelta(hours=1),
    "_DAYS": timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class Variable:
    """One setting: its name in upper case, where it stands in `Settings`, and whether it is a secret."""

    name: str
    section: str | None
    attribute: str
    is_secret: bool

    @property
    def file_name(self) -> str:
        """The variable that names a file with this setting's value."""
        return self.name + FILE_SUFFIX

    def value_in(self, settings: Settings) -> object:
        """What the setting is."""
        holder = settings if self.section is None else getattr(settings, self.section)
        value: object = getattr(holder, self.attribute)
        return value

    def shown_in(self, settings: Settings) -> str:
        """The same as text, in the unit that the name tells; a secret stays hidden."""
        value = self.value_in(settings)
        if value is None or value == ():
            return ""
        if self.is_secret:
            return "(hidden)"
        if isinstance(value, timedelta):
            unit = next(unit for suffix, unit in UNITS.items() if self.name.endswith(suffix))
            return f"{value / unit:g}"
        if isinstance(value, bool):
            return str(value).lower()
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _variables() -> dict[str, Variable]:
    found = []
    for attribute, field in Settings.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, Section):
            found += [
                _variable(f"{attribute}{NESTED}{inner.alias or name}", attribute, name, inner)
                for name, inner in section.model_fields.items()
            ]
        else:
            found.append(_variable(field.alias or attribute, None, attribute, field))
    return {variable.name: variable for variable in found}


def _variable(name: str, section: str | None, attribute: str, field: FieldInfo) -> Variable:
    is_secret = SecretStr in _types(field.annotation)
    return Variable(name=name.upper(), section=section, attribute=attribute, is_secret=is_secret)


def _types(annotation: object) -> set[object]:
    return {annotation}.union(*(_types(part) for part in get_args(annotation)))


VARIABLES: Final = _variables()
"""Every setting by its name."""

NAMES: Final = frozenset(VARIABLES) | {variable.file_name for variable in VARIABLES.values()}
"""Every name that an environment may set, those of files among them."""

PREFIXES: Final = tuple(
    sorted({name.split(NESTED)[0] + NESTED for name in VARIABLES if NESTED in name} | {"ANICHRON_"})
)


def unknown(names: list[str]) -> list[str]:
    """A warning for each name that looks like a setting and is none."""
    squeezed = {_squeezed(name): name for name in NAMES}
    warnings = []
    for name in names:
        upper = name.upper()
        if upper in NAMES:
            continue
        nearest = squeezed.get(_squeezed(upper))
        if upper.startswith(PREFIXES):
            nearest = nearest or _nearest(upper)
        elif nearest is None:
            continue
        hint = "" if nearest is None else f"; did you mean {nearest}?"
        warnings.append(f"{name} is not a setting{hint}")
    return warnings


def _nearest(name: str) -> str | None:
    begun = [known for known in sorted(NAMES) if known.startswith(name + "_")]
    return next(iter([*begun, *get_close_matches(name, sorted(NAMES), n=1)]), None)


def _squeezed(name: str) -> str:
    return name.replace("_", "")
