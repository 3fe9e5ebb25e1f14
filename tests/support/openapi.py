"""The API's description as a file, so that every change of the contract is seen in its review.

`python -m tests.support.openapi docs/openapi.json` writes it.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tests.support.memory import a_memory_house
from tests.support.web import a_web_client, ports_of

SNAPSHOT = Path(__file__).parents[2] / "docs" / "openapi.json"


async def described() -> str:
    """The document as the API gives it, laid out to be read and compared."""
    async with a_web_client(ports_of(a_memory_house())) as web:
        document: dict[str, Any] = await web.json("/schema/openapi.json")
    document["paths"] = dict(sorted(document["paths"].items()))
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(described()), encoding="utf-8")
