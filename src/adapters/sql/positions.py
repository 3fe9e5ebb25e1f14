"""The place of a change among all: the number of its transaction on PostgreSQL, of the change itself on SQLite."""

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import TypeDecorator, UserDefinedType

LARGEST: Final = 2**63 - 1
"""No database ever counts as far, and each of them can compare it."""


class Xid8(UserDefinedType[str]):
    """A transaction's number that never wraps around."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """Its name in PostgreSQL."""
        return "xid8"


ischema_names["xid8"] = Xid8


class Position(TypeDecorator[int]):
    """xid8 on PostgreSQL, an integer on SQLite; a number for everybody else."""

    impl = sa.BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        """There is no arithmetic on transaction numbers, and no cast from an integer to one."""
        return dialect.type_descriptor(Xid8() if dialect.name == "postgresql" else sa.BigInteger())

    def process_bind_param(self, value: int | None, dialect: sa.Dialect) -> int | str | None:
        """Write it."""
        return str(value) if value is not None and dialect.name == "postgresql" else value

    def process_result_value(self, value: int | str | None, dialect: sa.Dialect) -> int | None:  # noqa: ARG002 -- SQLAlchemy calls it so
        """Read it."""
        return None if value is None else int(value)
