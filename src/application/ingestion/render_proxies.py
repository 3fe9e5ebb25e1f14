"""The step that decodes."""

from application.ingestion.step import Failed, FileOutcome, HashedFile, RenderedFile, Step
from application.ports.file_tree import FileTree
from application.ports.image_renderer import ImageRenderer, Rendered, Unrenderable
from domain.media.failure import FailureReason


class RenderProxies:
    """Makes a file's proxies and takes down what it says of itself, in one decode."""

    def __init__(self, tree: FileTree, renderer: ImageRenderer, *, successor: Step[RenderedFile]) -> None:
        """Take the successor, which gets every file that could be decoded."""
        self._tree = tree
        self._renderer = renderer
        self._successor = successor

    async def take(self, record: HashedFile) -> FileOutcome:
        """Decode, unless the file is being written at this moment."""
        match await self._renderer.render(record.opened, record.identified.media_type):
            case Unrenderable(reason):
                return Failed(reason)
            case Rendered() as rendered:
                # The hash and the picture come from two reads: only an unchanged file makes them one content.
                if await self._tree.signature(record.opened) != record.opened.signature:
                    return Failed(FailureReason.CHANGED_WHILE_READ)
                return await self._successor.take(RenderedFile(record, rendered))
