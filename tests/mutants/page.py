"""The admin page, broken one rule at a time; a real Chromium has to notice."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

PAGE: Final = Suite(
    "page",
    ("tests/browser/test_cancel.py", "tests/browser/test_connection.py", "tests/browser/test_safety.py"),
)

FOLDER: Final = "adapters/web/page"


def on_page(name: str, file: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the page must notice."""
    path = f"{FOLDER}/{file}" if file.endswith(".js") else file
    return Mutant(name=name, suite=PAGE, path=path, original=original, broken=broken, noticed_by=noticed_by)


MUTANTS: Final = (
    on_page(
        "whatever comes last stays",
        "items.js",
        "known !== undefined && known.revision >= item.revision",
        "known !== undefined && known.revision === item.revision",
        "crosses_a_newer_event",
    ),
    on_page(
        "reset is not heard",
        "main.js",
        'if (name === "reset") {',
        'if (name === "never") {',
        "reset_reads_the_list",
    ),
    on_page(
        "silence is not noticed",
        "connection.js",
        "watch.within(this.#silenceMs);",
        "watch.end();",
        "silence_is_taken_for_loss",
    ),
    on_page(
        "a token that has ended is not renewed",
        "server.js",
        "if (first.status !== 401) return first;",
        "if (first.status !== 0) return first;",
        "renewed_and_the_cancel_repeated",
    ),
    on_page(
        "a stream that ended goes on from now",
        "connection.js",
        '...(this.#cursor ? { "Last-Event-ID": this.#cursor } : {})',
        "",
        "taken_up_where_it_broke_off",
    ),
    on_page(
        "focus falls out of the page",
        "queue.js",
        "focus.restore();",
        "",
        "hands_its_focus_on",
    ),
    on_page(
        "styles within the page are let in",
        "adapters/web/page.py",
        "style-src 'self';",
        "style-src 'self' 'unsafe-inline';",
        "policy",
    ),
)
