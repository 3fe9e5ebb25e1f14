"""Step 4: the kind is registered, in a container like that of the kinds there are."""

from dependency_injector import containers, providers

from application.registry import KindRegistry, Registration
from tests.unit.guide.thumbnail_audit.handler import ThumbnailAuditHandler
from tests.unit.guide.thumbnail_audit.kind import GuideKind
from tests.unit.guide.thumbnail_audit.payload import ThumbnailAuditPayload


class GuideKinds(containers.DeclarativeContainer):
    """One registration a kind."""

    stores = providers.DependenciesContainer()

    thumbnail_audit = providers.Factory(
        Registration,
        payload=providers.Object(ThumbnailAuditPayload),
        handler=providers.Factory(ThumbnailAuditHandler, stores.thumbnails),
    )

    registry = providers.Singleton(KindRegistry, providers.List(thumbnail_audit), kinds=GuideKind)
