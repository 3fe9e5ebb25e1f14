"""What the operations on storage configs may answer."""

from typing import Final

from adapters.web.openapi.examples import CONFIG_ID, ITEM_ID, USER_ID
from adapters.web.openapi.responses import FOR_ADMINS, Responses, answer, for_bodies, problem
from adapters.web.problem_types import FOLDER_TAKEN, STORAGE_CONFIG_NOT_FOUND, USER_NOT_FOUND
from adapters.web.problems import FolderTakenView
from adapters.web.views.storage_configs import (
    AddedStorageConfigView,
    RemovedStorageConfigView,
    StorageConfigsView,
    StorageConfigView,
)

CONFIGS_PATH: Final = "/api/v1/admin/storage-configs"
CONFIG_PATH: Final = f"{CONFIGS_PATH}/{CONFIG_ID}"

NEW_CONFIG: Final = {"userId": USER_ID, "rootPath": "/data/originals/ada"}
SWITCH: Final = {"isActive": False}
CONFIG: Final = {
    "id": CONFIG_ID,
    "userId": USER_ID,
    "owner": "ada",
    "isActive": True,
    "createdAt": "2026-11-29T13:58:31.207Z",
}

NOT_THERE: Final = problem(STORAGE_CONFIG_NOT_FOUND, "No storage config has this id.", path=CONFIG_PATH)

CONFIGS: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(StorageConfigsView, "The storage configs, oldest first", {"items": [CONFIG]}),
}
ADD: Final[Responses] = {
    **for_bodies(CONFIGS_PATH, pointer="/rootPath", detail="the path of a photo folder must be absolute"),
    201: answer(AddedStorageConfigView, "It is there", {"config": CONFIG, "crawlId": ITEM_ID}),
    404: problem(USER_NOT_FOUND, "Nobody has this id.", path=CONFIGS_PATH),
    409: problem(
        FOLDER_TAKEN,
        "There is a storage config of this folder already.",
        FolderTakenView,
        path=CONFIGS_PATH,
        storageConfigId=CONFIG_ID,
    ),
}
SHOW: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(StorageConfigView, "The storage config", CONFIG),
    404: NOT_THERE,
}
CHANGE: Final[Responses] = {
    **for_bodies(CONFIG_PATH, pointer="/isActive", detail="Expected `bool`, got `str`"),
    200: answer(StorageConfigView, "The storage config as it is now", {**CONFIG, "isActive": False}),
    404: NOT_THERE,
}
REMOVE: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(RemovedStorageConfigView, "It is gone", {"removedItems": 212}),
    404: NOT_THERE,
}
