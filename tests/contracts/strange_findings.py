"""What every SQL store promises about findings that this version cannot have made."""

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.sweep_tables import proxy_sweep_findings
from domain.media.proxy_finding import FindingKind, FindingNumber
from tests.support.sweeping import Sweeping, a_finding, run_of


class StrangeFindingsContract:
    """A newer version may find things of more kinds: to this one they are not there."""

    async def test_a_finding_of_an_unknown_kind_hides_no_other(self, place: Sweeping) -> None:
        run = run_of(await place.swept(strange := a_finding(1), known := a_finding(2)))
        database = place.house.transactions
        assert isinstance(database, Database)
        is_strange = proxy_sweep_findings.c.number == strange.number
        update = sa.update(proxy_sweep_findings).where(is_strange).values(what="square-file")
        await database.write(lambda connection: connection.execute(update).close())

        assert await place.findings.page(run, kinds=frozenset(FindingKind), limit=10) == (known,)
        assert await place.findings.numbered(run, [FindingNumber(1), FindingNumber(2)]) == (known,)
        assert known.owner is not None
        assert set(await place.findings.deletable(run)) == {known.owner}
