"""The renderer that keeps hostile files away from the worker: every file is read and decoded in a child process."""

import asyncio
from types import TracebackType
from typing import Final, Self

from adapters.media.child import DecodeChild, Died, Unheard
from adapters.media.wire import (
    DecodeLimits,
    HugeReply,
    IdentifiedReply,
    Identify,
    Render,
    RenderedReply,
    Reply,
    Request,
    UnrenderableReply,
)
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, ImageRenderer, Rendered, Unrenderable
from domain.media.content import MediaType
from domain.media.failure import FailureReason

MOST_FILES: Final = 500
"""Decoded files after which a child is replaced, so that what a decoder leaks stays small."""


class IsolatedRenderer(ImageRenderer):
    """At most `children` processes, started when first needed, ended with the context.

    A child that dies at work takes one file with it. Of huge pictures only one is decoded at a time. Only this process writes anything.
    """

    def __init__(self, *, children: int, limits: DecodeLimits) -> None:
        """Start nothing yet."""
        self._limits = limits
        self._slots = asyncio.Semaphore(children)
        self._huge = asyncio.Semaphore(1)
        self._idle: list[DecodeChild] = []

    async def __aenter__(self) -> Self:
        """Nothing to do: children are started on demand."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the children that wait; one at work ends with its call."""
        while self._idle:
            self._idle.pop().kill()

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        match await self._ask(Identify(), file):
            case IdentifiedReply(identified):
                return identified
            case other:
                return _failure(other)

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        answer = await self._ask(Render(media_type), file)
        if isinstance(answer, HugeReply):
            # The child's slot is free again: small pictures go on while this one waits for its turn.
            async with self._huge:
                answer = await self._ask(Render(media_type, may_be_huge=True), file)
        match answer:
            case RenderedReply(rendered):
                return rendered
            case other:
                return _failure(other)

    async def _ask(self, request: Request, file: OpenFile) -> Reply | Died | Unheard:
        async with self._slots:
            answer = await self._answer(
                self._idle.pop() if self._idle else await self._started(), request, file
            )
            if isinstance(answer, Unheard):
                # Killed while it had nothing to do, as any other that waits may be.
                answer = await self._answer(await self._started(), request, file)
            return answer

    async def _answer(self, child: DecodeChild, request: Request, file: OpenFile) -> Reply | Died | Unheard:
        try:
            answer = await child.ask(request, file)
        except BaseException:
            # Its answer to this call would be taken for the answer to the next.
            child.kill()
            raise
        if not isinstance(answer, Died | Unheard):
            self._give_back(child)
        return answer

    async def _started(self) -> DecodeChild:
        child = DecodeChild(self._limits)
        try:
            await child.wait_ready()
        except BaseException:
            child.kill()
            raise
        return child

    def _give_back(self, child: DecodeChild) -> None:
        if child.files < MOST_FILES:
            self._idle.append(child)
        else:
            child.kill()


def _failure(answer: Reply | Died | Unheard) -> Unrenderable:
    match answer:
        case UnrenderableReply(reason) | Died(reason) | Unheard(reason):
            return Unrenderable(reason)
        case _:
            # It answered another question than it was asked.
            return Unrenderable(FailureReason.DECODER_CRASHED)
