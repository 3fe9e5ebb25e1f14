"""Who gets in by the web API, whatever store is behind it."""

from domain.ids import UserId
from tests.support.builders import an_id, enqueued
from tests.support.house import House
from tests.support.web import (
    ITEMS,
    WORKERS,
    Json,
    WebClient,
    bearing,
    changed_user,
    problem_of,
    signed_as,
    somebody,
)


class WebAccess:
    async def test_without_a_token_nothing_is_looked_up(self, house: House, web: WebClient) -> None:
        known = await enqueued(house.store)

        for path in (
            ITEMS,
            WORKERS,
            f"{ITEMS}/counts",
            f"{ITEMS}/{known}",
            f"{ITEMS}/{an_id()}",
            f"{ITEMS}/x",
        ):
            response = await web.get(path, anonymous=True)
            problem_of(response, 401, "unauthenticated")
            assert response.headers["WWW-Authenticate"] == 'Bearer realm="anichron"'

    async def test_who_is_no_admin_learns_nothing_of_any_item(self, house: House, web: WebClient) -> None:
        known = await enqueued(house.store)
        user = bearing(signed_as(await somebody(house.users, is_admin=False)))

        for method, suffix in (("GET", ""), ("POST", "/cancel")):
            told = [
                without_address(
                    problem_of(
                        await web.ask(method, f"{ITEMS}/{text}{suffix}", headers=user), 403, "not-admin"
                    )
                )
                for text in (str(known), str(an_id()), "x")
            ]
            assert told[0] == told[1] == told[2]

    async def test_a_demoted_admin_is_refused_at_the_next_request(self, house: House, web: WebClient) -> None:
        await web.json(ITEMS)

        await changed_user(house, web.admin, is_admin=False)

        problem_of(await web.get(ITEMS), 403, "not-admin")

    async def test_a_disabled_admin_is_refused_at_the_next_request(
        self, house: House, web: WebClient
    ) -> None:
        await web.json(ITEMS)

        await changed_user(house, web.admin, is_disabled=True)

        problem_of(await web.get(ITEMS), 401, "unauthenticated")

    async def test_an_account_that_is_not_there_is_refused(self, web: WebClient) -> None:
        gone = bearing(signed_as(UserId(an_id())))

        problem_of(await web.get(ITEMS, headers=gone), 401, "unauthenticated")


def without_address(problem: Json) -> Json:
    """What is alike in two problems of two requests."""
    return {name: value for name, value in problem.items() if name not in {"instance", "requestId"}}
