"""Which methods an address takes, told to who asks with OPTIONS."""

from collections.abc import Iterable
from typing import Any

from litestar import Request, Response
from litestar.routes import HTTPRoute


def told_methods(request: Request[Any, Any, Any]) -> Response[None] | None:
    """The answer to OPTIONS: every method of the address. Where handlers share one, the framework tells only some."""
    if request.method != "OPTIONS":
        return None
    template = request.scope["path_template"]
    methods = {
        method
        for route in request.app.routes
        if isinstance(route, HTTPRoute) and route.path_format == template
        for method in route.methods
    }
    return Response(None, status_code=204, headers={"Allow": allowed(methods)})


def allowed(methods: Iterable[str]) -> str:
    """The methods in order; the edge answers HEAD wherever there is GET."""
    named = frozenset(methods)
    return ", ".join(sorted(named | {"HEAD"} if "GET" in named else named))
