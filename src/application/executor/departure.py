"""That the worker leaves, as everybody in it hears of it."""

import asyncio


class Departure:
    """`begun`: no more work is taken, and handlers are told. `out_of_time`: they are waited for no longer."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.out_of_time = asyncio.Event()
