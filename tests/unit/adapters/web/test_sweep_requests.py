"""What requests about proxy sweeps may say, and what is told of those that say something else."""

from urllib.parse import quote

import pytest

from adapters.web.views.findings import finding_cursor_text
from domain.media.proxy_finding import FindingKind, FindingNumber
from domain.work_item import WorkItem
from tests.contracts.web_sweeps import DELETIONS, SWEEPS, chosen, findings_of
from tests.support.builders import an_id
from tests.support.house import House
from tests.support.sweeping import a_finding, sweeping_over
from tests.support.web import ITEMS, ORIGIN, Headers, Json, WebClient, problem_of


@pytest.fixture
async def sweep(house: House) -> WorkItem:
    """One that has found a file."""
    return await sweeping_over(house).swept(a_finding(1))


@pytest.mark.parametrize("body", [b'{"storageConfigId": null}', b"[]", b"null", b'{"all": true}'])
async def test_a_sweep_takes_no_wishes(web: WebClient, body: bytes) -> None:
    problem_of(await web.send(SWEEPS, body), 422, "invalid-body")

    assert (await web.json(ITEMS))["items"] == []


async def test_what_is_no_cursor_is_told_so(web: WebClient, sweep: WorkItem) -> None:
    good = finding_cursor_text(FindingNumber(1), sweep.id, frozenset(FindingKind))
    beyond = finding_cursor_text(FindingNumber(2**32 - 1), sweep.id, frozenset(FindingKind))

    for garbage in ("", "x", "\0", "é", good[:-1], f"{good}=", f"{good}!", beyond, "A" * 500):
        response = await web.get(findings_of(sweep, f"?cursor={quote(garbage)}"))
        problem_of(response, 400, "invalid-cursor")
    assert (await web.json(findings_of(sweep, f"?cursor={good}")))["items"] == []


@pytest.mark.parametrize(
    ("query", "parameter", "detail"),
    [
        ("what=orphan", "what", "Allowed: orphan-file, temporary-leftover, missing-file."),
        ("limit=201", "limit", "Must be a whole number from 1 to 200."),
        ("limit=1&limit=2", "limit", "Allowed only once."),
        ("kind=orphan-file", "kind", "Allowed: what, limit, cursor."),
    ],
)
async def test_a_parameter_that_is_not_allowed_is_named(
    web: WebClient, sweep: WorkItem, query: str, parameter: str, detail: str
) -> None:
    (fault,) = problem_of(await web.get(findings_of(sweep, f"?{query}")), 400, "invalid-parameter")["errors"]

    assert fault["parameter"] == parameter
    assert fault["detail"].endswith(detail)


@pytest.mark.parametrize(
    ("form", "pointer"),
    [
        ({}, ""),
        ({"findingIds": ["1"], "all": True, "files": 3}, ""),
        ({"findingIds": ["1"], "files": 3}, ""),
        ({"all": True}, ""),
        ({"all": False, "files": 3}, "/all"),
        ({"all": True, "files": 0}, "/files"),
        ({"all": True, "files": 2**31}, "/files"),
        ({"findingIds": []}, "/findingIds"),
        ({"findingIds": ["1"] * 10_001}, "/findingIds"),
        ({"findingIds": ["1", 2]}, "/findingIds/1"),
        ({"findingIds": ["0"]}, "/findingIds/0"),
        ({"findingIds": ["1\n"]}, "/findingIds/0"),
        ({"findingIds": ["1234567890"]}, "/findingIds/0"),
        ({"findingIds": ["1"], "sweepId": "x"}, "/sweepId"),
        ({"findingIds": ["1"], "kind": "crawl"}, ""),
    ],
)
async def test_a_body_has_one_form_or_the_other(web: WebClient, form: Json, pointer: str) -> None:
    response = await web.send(DELETIONS, {"sweepId": str(an_id()), **form})

    (fault,) = problem_of(response, 422, "invalid-body")["errors"]
    assert fault["pointer"] == pointer


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"all": True},
        {"all": False},
        {"files": 3},
        {"findingIds": ["1"], "all": True, "files": 3},
        {"findingIds": ["1"], "files": 3},
    ],
)
async def test_a_body_of_neither_form_is_told_both(web: WebClient, form: Json) -> None:
    response = await web.send(DELETIONS, {"sweepId": str(an_id()), **form})

    (fault,) = problem_of(response, 422, "invalid-body")["errors"]
    assert fault == {
        "pointer": "",
        "detail": "Must have either `findingIds`, or `all` with `files`: how many files were seen, which is "
        "`orphanFiles` and `temporaryLeftovers` of the sweep's result together.",
    }


@pytest.mark.parametrize("body", [b"[]", b"null", b'"all"'])
async def test_a_choice_that_is_no_object_is_told_so(web: WebClient, body: bytes) -> None:
    (fault,) = problem_of(await web.send(DELETIONS, body), 422, "invalid-body")["errors"]

    assert fault["detail"].startswith("Expected `object`")


async def test_what_is_no_id_is_told_so_without_the_pattern_of_ids(web: WebClient) -> None:
    response = await web.send(DELETIONS, {"sweepId": str(an_id()), "findingIds": ["1", "one"]})

    (fault,) = problem_of(response, 422, "invalid-body")["errors"]
    assert fault == {"pointer": "/findingIds/1", "detail": "Is not written as it must be."}


async def test_a_choice_of_more_than_256_kib_is_not_read(web: WebClient) -> None:
    problem = problem_of(await web.send(DELETIONS, b" " * (256 * 1024 + 1)), 413, "content-too-large")

    assert problem["detail"] == "The body is larger than 256 KiB."
    problem_of(await web.send(DELETIONS, b" " * (256 * 1024)), 400, "malformed-request")


@pytest.mark.parametrize("key", ["", '"', '""', "a b", "\x7f", 'a"b', '"a', "a\\b", "x" * 256])
async def test_what_is_no_key_is_refused(web: WebClient, sweep: WorkItem, key: str) -> None:
    response = await web.send(DELETIONS, chosen(sweep, "1"), headers={"Idempotency-Key": key})

    (fault,) = problem_of(response, 400, "invalid-parameter")["errors"]
    assert fault["parameter"] == "Idempotency-Key"
    assert (await web.json(f"{ITEMS}?kind=proxy-deletion"))["items"] == []


async def test_the_longest_key_is_one(web: WebClient, sweep: WorkItem) -> None:
    longest: Headers = {"Idempotency-Key": f'"{"~" * 255}"'}

    assert (await web.send(DELETIONS, chosen(sweep, "1"), headers=longest)).status_code == 202


async def test_a_page_of_an_allowed_origin_may_send_a_key(web: WebClient) -> None:
    asking = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }

    preflight = await web.ask("OPTIONS", DELETIONS, headers=asking, anonymous=True)

    assert preflight.status_code == 204
    assert "idempotency-key" in preflight.headers["Access-Control-Allow-Headers"]


async def test_work_that_waits_only_once_needs_no_key(web: WebClient) -> None:
    assert (await web.send(SWEEPS, {}, headers={"Idempotency-Key": "no key"})).status_code == 202
