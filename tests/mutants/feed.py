"""The change feed, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

FEED: Final = Suite(
    "feed",
    (
        "tests/integration/postgres/test_late_commits.py",
        "tests/integration/postgres/test_restored_feed.py",
        "tests/integration/postgres/test_crashed_feed.py",
        "tests/integration/postgres/test_change_feed.py",
        "tests/integration/sqlite/test_change_feed.py",
    ),
)

SNAPSHOTS: Final = "adapters/sql/snapshots.py"
STATEMENTS: Final = "adapters/sql/postgres_feed_statements.py"
MIGRATION: Final = "adapters/sql/migrations/versions/rev_0002_change_feed.py"
ORIGIN: Final = "adapters/sql/feed_origin.py"


def of_the_feed(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the feed must notice."""
    return Mutant(name=name, suite=FEED, path=path, original=original, broken=broken, noticed_by=noticed_by)


MUTANTS: Final = (
    of_the_feed(
        "cursor that forgets the open transactions",
        SNAPSHOTS,
        "return (*(Span(xid, xid) for xid in self.open), Span(self.xmax, LARGEST))",
        "return (Span(self.xmax, LARGEST),)",
        "commit_in_reverse_order",
    ),
    of_the_feed(
        "look that begins one too late",
        SNAPSHOTS,
        "Span(self.xmax, LARGEST))",
        "Span(self.xmax + 1, LARGEST))",
        "each_step_of_a_life",
    ),
    of_the_feed(
        "cursor that is a horizon",
        SNAPSHOTS,
        "return (*(Span(xid, xid) for xid in self.open), Span(self.xmax, LARGEST))",
        "return (Span(self.xmin, LARGEST),)",
        "left_idle",
    ),
    of_the_feed(
        "short cursor that leaves transactions out",
        SNAPSHOTS,
        "lower = replace(snapshot, xmax=snapshot.open[kept], open=snapshot.open[:kept])",
        "lower = replace(snapshot, open=snapshot.open[:kept])",
        "has_room_for",
    ),
    of_the_feed(
        "rest that sees later changes",
        STATEMENTS,
        "                    AND pg_visible_in_snapshot(changed.change_xid, here.bound)\n",
        "",
        "between_the_parts or between_two_parts",
    ),
    of_the_feed(
        "gone item that came back and is called gone",
        STATEMENTS,
        "                    AND NOT EXISTS (SELECT FROM work_items AS again WHERE again.id = gone.id)\n",
        "",
        "comes_back_under_its_old_id",
    ),
    of_the_feed(
        "removal without a tombstone",
        MIGRATION,
        "clock_timestamp() FROM gone\n",
        "clock_timestamp() FROM gone WHERE false\n",
        "removed_config",
    ),
    of_the_feed(
        "removal without a tombstone on SQLite",
        MIGRATION,
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM change_feed;",
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM change_feed WHERE false;",
        "removed_config",
    ),
    of_the_feed(
        "change that is not stamped",
        MIGRATION,
        "BEFORE INSERT OR UPDATE ON work_items",
        "BEFORE INSERT ON work_items",
        "each_step_of_a_life",
    ),
    of_the_feed(
        "change that is not stamped on SQLite",
        MIGRATION,
        "WHEN NEW.change_xid = OLD.change_xid BEGIN",
        "WHEN NEW.status <> OLD.status BEGIN",
        "each_kind_of_change",
    ),
    of_the_feed(
        "purge that says nothing of how far it came",
        "adapters/sql/purge.py",
        "    if gone:\n",
        "    if not gone:\n",
        "older_than_what_is_known",
    ),
    of_the_feed(
        "open transaction that makes every cursor expire",
        SNAPSHOTS,
        "ended = (xid for xid in before.open if now.snapshot.sees(xid))",
        "ended = before.open",
        "no_reason_for_an_expired",
    ),
    of_the_feed(
        "crash that leaves every cursor good",
        STATEMENTS,
        "concat_ws('/', epoch, extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()))",
        "epoch",
        "after_a_crash",
    ),
    of_the_feed(
        "restored dump whose cursors stay good",
        ORIGIN,
        "values(origin=origin, epoch=new_epoch(), purged=nothing)",
        "values(origin=origin, purged=nothing)",
        "another_epoch or of_its_own",
    ),
    of_the_feed(
        "restored dump whose rows stay ahead",
        ORIGIN,
        "    connection.execute(NUMBER_ANEW)\n",
        "",
        "told_once_and_listed_first",
    ),
    of_the_feed(
        "list that goes on by the numbers of another history",
        "adapters/sql/postgres_lists.py",
        "after.epoch != here.epoch",
        "after.epoch == ''",
        "another_epoch",
    ),
)
