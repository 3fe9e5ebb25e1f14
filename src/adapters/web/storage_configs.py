"""Storage configs: `/api/v1/admin/storage-configs`."""

from typing import Annotated, Any, assert_never
from uuid import UUID

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.di import NamedDependency
from msgspec import Meta, Struct

from adapters.web.arrival import arrival_of, granted_of
from adapters.web.bodies import body_of, invalid_body
from adapters.web.openapi import storage_configs as described
from adapters.web.openapi.examples import CONFIG_ID
from adapters.web.openapi.operations import id_in_path, taking
from adapters.web.problem_types import FOLDER_TAKEN, USER_NOT_FOUND
from adapters.web.problems import Problem, ProblemError
from adapters.web.requests import NO_SUCH_CONFIG, no_parameters, storage_config_id
from adapters.web.views.storage_configs import (
    AddedStorageConfigView,
    RemovedStorageConfigView,
    StorageConfigsView,
    StorageConfigView,
    storage_config_view,
)
from application.configs import (
    AddAnswer,
    ConfigAdded,
    Configs,
    FolderOverlaps,
    FolderRefused,
    FolderTaken,
    UnknownOwner,
)
from application.ports.storage_configs import NoSuchConfig, Removed
from domain.account import StorageConfig
from domain.ids import UserId
from domain.photo_root import LONGEST_PATH_BYTES

AnyRequest = Request[Any, Any, Any]
ConfigId = Annotated[str, id_in_path("Id of the storage config", CONFIG_ID)]


RootPath = Annotated[
    str,
    Meta(
        extra_json_schema={
            "minLength": 1,
            "maxLength": LONGEST_PATH_BYTES,
            "pattern": r"^(/(?!\.\.(/|$))[^/\u0000]*)+$",
        }
    ),
]


class NewStorageConfig(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Whose photos, and the folder as workers see it: absolute, and neither within nor around another."""

    user_id: UUID
    root_path: RootPath


class StorageConfigSwitch(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Whether the storage config is to get new work."""

    is_active: bool


class StorageConfigsController(Controller):
    """Adds, lists, switches and removes storage configs. No answer tells a folder."""

    path = "/storage-configs"
    tags = ("storage configs",)

    @get(operation_id="listStorageConfigs", summary="List storage configs", responses=described.CONFIGS)
    async def configs(
        self, request: AnyRequest, configs: NamedDependency[Configs]
    ) -> Response[StorageConfigsView]:
        """Every storage config, oldest first: whose it is, and never its folder."""
        no_parameters(request.query_params.items())
        return Response(StorageConfigsView(tuple(map(storage_config_view, await configs.owned()))))

    @post(
        operation_id="addStorageConfig",
        summary="Add a storage config",
        operation_class=taking(NewStorageConfig, described.NEW_CONFIG, made=201),
        responses=described.ADD,
    )
    async def add(
        self, request: AnyRequest, configs: NamedDependency[Configs]
    ) -> Response[AddedStorageConfigView]:
        """Add a user's photo folder and ask for its first crawl, both in one step. The folder is not looked at."""
        no_parameters(request.query_params.items())
        new = await body_of(request, NewStorageConfig)
        by = granted_of(request.scope).user
        answer = await configs.add(user=UserId(new.user_id), root_path=new.root_path, by=by)
        added = _added(answer)
        view = AddedStorageConfigView(
            config=storage_config_view(await configs.with_owner(added.config)), crawl_id=str(added.crawl)
        )
        location = f"{arrival_of(request.scope).root}{described.CONFIGS_PATH}/{view.config.id}"
        return Response(view, headers={"Location": location})

    @get(
        "/{config_id:str}",
        operation_id="getStorageConfig",
        summary="Show a storage config",
        responses=described.SHOW,
    )
    async def config(
        self, request: AnyRequest, config_id: ConfigId, configs: NamedDependency[Configs]
    ) -> Response[StorageConfigView]:
        """One storage config: whose it is, and whether it gets work."""
        no_parameters(request.query_params.items())
        found = await configs.one_owned(storage_config_id(config_id))
        if isinstance(found, NoSuchConfig):
            raise ProblemError(NO_SUCH_CONFIG)
        return Response(storage_config_view(found))

    @patch(
        "/{config_id:str}",
        operation_id="changeStorageConfig",
        summary="Switch a storage config on or off",
        operation_class=taking(StorageConfigSwitch, described.SWITCH),
        responses=described.CHANGE,
    )
    async def change(
        self, request: AnyRequest, config_id: ConfigId, configs: NamedDependency[Configs]
    ) -> Response[StorageConfigView]:
        """Let it get new work, or no more. What is known of its photos stays, and so does work that runs."""
        no_parameters(request.query_params.items())
        switch = await body_of(request, StorageConfigSwitch)
        match await configs.set_active(storage_config_id(config_id), active=switch.is_active):
            case StorageConfig() as config:
                return Response(storage_config_view(await configs.with_owner(config)))
            case NoSuchConfig():
                raise ProblemError(NO_SUCH_CONFIG)
            case answer:
                assert_never(answer)

    @delete(
        "/{config_id:str}",
        operation_id="removeStorageConfig",
        summary="Remove a storage config",
        status_code=200,
        responses=described.REMOVE,
    )
    async def remove(
        self, request: AnyRequest, config_id: ConfigId, configs: NamedDependency[Configs]
    ) -> Response[RemovedStorageConfigView]:
        """Remove it with all that is known of its photos, and its work items. The photos are never touched."""
        no_parameters(request.query_params.items())
        match await configs.remove(storage_config_id(config_id)):
            case Removed(items=items):
                return Response(RemovedStorageConfigView(removed_items=items))
            case NoSuchConfig():
                raise ProblemError(NO_SUCH_CONFIG)
            case answer:
                assert_never(answer)


def _taken(detail: str, config: StorageConfig) -> ProblemError:
    return ProblemError(Problem(FOLDER_TAKEN, detail, {"storageConfigId": str(config.id)}))


def _added(answer: AddAnswer) -> ConfigAdded:
    match answer:
        case ConfigAdded():
            return answer
        case FolderTaken(config=config):
            raise _taken("There is a storage config of this folder already.", config)
        case FolderOverlaps(config=config):
            raise _taken("There is a storage config of a folder within this one, or around it.", config)
        case FolderRefused(why=why):
            raise invalid_body("/rootPath", why)
        case UnknownOwner():
            raise ProblemError(Problem(USER_NOT_FOUND, "Nobody has this id."))
        case _:
            assert_never(answer)
