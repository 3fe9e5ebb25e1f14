"""Connections of clients, as uvicorn has them, but for one thing: an answer may drop its own."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from adapters.web.stream_response import CUT


class CuttableConnection(HttpToolsProtocol):
    """Says with each request how to drop its connection at once, with all that the client has not taken.

    Uvicorn itself would keep what is not sent until the client reads it or goes.
    """

    def on_headers_complete(self) -> None:
        """Take in a request."""
        # Before the application is called, which is what happens next.
        self.scope["state"][CUT] = self.transport.abort
        super().on_headers_complete()
