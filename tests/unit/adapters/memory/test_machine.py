"""The memory store under random commands."""

import asyncio

from tests.contracts.machine import run_random_commands
from tests.support.memory import a_memory_house


def test_the_memory_store_keeps_the_table_of_the_model() -> None:
    with asyncio.Runner() as runner:
        run_random_commands(runner, a_memory_house(), examples=150)
