"""Runs the state machine over one store."""

import asyncio
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.contracts.machine import WorkStoreMachine
from tests.support.house import House


def run_random_commands(house: AbstractAsyncContextManager[House], *, examples: int) -> None:
    """So many runs of up to 40 commands each; on CI always the same ones."""
    stack = AsyncExitStack()
    with asyncio.Runner() as runner:
        opened = runner.run(stack.enter_async_context(house))

        class Machine(WorkStoreMachine):
            def __init__(self) -> None:
                super().__init__(runner, opened)

        try:
            run_state_machine_as_test(
                Machine, settings=settings(max_examples=examples, stateful_step_count=40, deadline=None)
            )
        finally:
            runner.run(stack.aclose())
