"""The memory store under random commands."""

import asyncio

from hypothesis.stateful import run_state_machine_as_test

from tests.contracts.machine import WorkStoreMachine, moderate
from tests.support.house import House
from tests.support.memory import a_memory_house


async def a_house() -> House:
    return a_memory_house()


def test_the_memory_store_keeps_the_table_of_the_model() -> None:
    with asyncio.Runner() as runner:
        run_state_machine_as_test(lambda: WorkStoreMachine(runner, a_house), settings=moderate(examples=150))
