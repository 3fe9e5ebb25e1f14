"""The memory store under random commands."""

from contextlib import nullcontext

from tests.contracts.random_commands import run_random_commands
from tests.support.memory import a_memory_house


def test_the_memory_store_keeps_the_table_of_the_model() -> None:
    run_random_commands(nullcontext(a_memory_house()), examples=100)
