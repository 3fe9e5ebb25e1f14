"""Every kind of error the API answers with, each with a stable name and a page for people (RFC 9457)."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ProblemType:
    """One kind of error. The slug and the title never change; `advice` is for whoever reads its page."""

    slug: str
    status: int
    title: str
    advice: str

    @property
    def reference(self) -> str:
        """The `type` member: a reference that this very install can be asked for."""
        return f"/problems/{self.slug}"


INVALID_PARAMETER: Final = ProblemType(
    "invalid-parameter",
    400,
    "Invalid parameter",
    "The request has a parameter that is unknown here, or has a value that is not allowed. The member "
    "<code>errors</code> names each of them and says what would be allowed.",
)
INVALID_CURSOR: Final = ProblemType(
    "invalid-cursor",
    400,
    "Invalid cursor",
    "The cursor was not made by this API, or belongs to a list with another filter. Ask for the list again "
    "without a cursor, and follow <code>nextCursor</code> with the same filter.",
)
MALFORMED_REQUEST: Final = ProblemType(
    "malformed-request",
    400,
    "Malformed request",
    "The request, or the JSON in its body, could not be read.",
)
UNAUTHENTICATED: Final = ProblemType(
    "unauthenticated",
    401,
    "Not signed in",
    "The request has no bearer token in its <code>Authorization</code> header, or one that is not good: it is "
    "forged, has run out, or its account may not sign in any more. "
    "<code>anichron tokens create</code> makes a new one.",
)
WRONG_CREDENTIALS: Final = ProblemType(
    "wrong-credentials",
    401,
    "Wrong name or password",
    "There is no account of this name or e-mail address with this password, or it may not sign in. Which of "
    "them it is, is not told. <code>anichron users reset-password</code> helps those who forgot theirs.",
)
NOT_ADMIN: Final = ProblemType(
    "not-admin",
    403,
    "Not an administrator",
    "Only administrators may look after the queue. The role is read from the database at every request, so "
    "it can be given or taken while a token is valid.",
)
CROSS_SITE: Final = ProblemType(
    "cross-site",
    403,
    "Request of another site",
    "Only pages of this server, and of the origins in <code>CORS__ALLOWED_ORIGINS</code>, may sign people in and "
    "out. Behind a proxy, have it hand on the header <code>Host</code> as the browser sent it.",
)
NOT_FOUND: Final = ProblemType(
    "not-found",
    404,
    "Not found",
    "There is nothing at this address. <code>/schema/openapi.json</code> lists what there is.",
)
WORK_ITEM_NOT_FOUND: Final = ProblemType(
    "work-item-not-found",
    404,
    "Work item not found",
    "No work item has this id, or no longer: finished items are removed after a while, and the items of a "
    "photo folder go with it.",
)
STORAGE_CONFIG_NOT_FOUND: Final = ProblemType(
    "storage-config-not-found",
    404,
    "Storage config not found",
    "No storage config has this id, or no longer. <code>/api/v1/admin/storage-configs</code> lists those that there are.",
)
SWEEP_NOT_FOUND: Final = ProblemType(
    "sweep-not-found",
    404,
    "Proxy sweep not found",
    "No proxy sweep has this id, or no longer: finished items are removed after a while, and what a sweep has found "
    "goes with it. Work items of other kinds are no sweeps.",
)
USER_NOT_FOUND: Final = ProblemType(
    "user-not-found",
    404,
    "User not found",
    "Nobody has this id, or nobody any more.",
)
METHOD_NOT_ALLOWED: Final = ProblemType(
    "method-not-allowed",
    405,
    "Method not allowed",
    "The address exists, but not for this method. The header <code>Allow</code> lists those that it has.",
)
WORK_ITEM_FINISHED: Final = ProblemType(
    "work-item-finished",
    409,
    "Work item already finished",
    "The item had finished before it could be cancelled, so nothing was changed. The member "
    "<code>item</code> shows how it ended.",
)
SWEEP_NOT_FINISHED: Final = ProblemType(
    "sweep-not-finished",
    409,
    "Proxy sweep not finished",
    "The sweep waits or runs. What it finds can be read, and deleted, when it has finished.",
)
FOLDER_TAKEN: Final = ProblemType(
    "folder-taken",
    409,
    "Folder already taken",
    "There is a storage config of this folder already, or of one within it or around it: each photo belongs to one. "
    "The member <code>storageConfigId</code> says which.",
)
STORAGE_CONFIG_INACTIVE: Final = ProblemType(
    "storage-config-inactive",
    409,
    "Storage config is not active",
    "A storage config that is not active gets no new work. Make it active first.",
)
CONTENT_TOO_LARGE: Final = ProblemType(
    "content-too-large",
    413,
    "Content too large",
    "The body of the request is larger than this API reads.",
)
UNSUPPORTED_MEDIA_TYPE: Final = ProblemType(
    "unsupported-media-type",
    415,
    "Unsupported media type",
    "Bodies of requests must be <code>application/json</code>.",
)
INVALID_BODY: Final = ProblemType(
    "invalid-body",
    422,
    "Invalid body",
    "The body is JSON, but not what this address takes. The member <code>errors</code> points at each fault.",
)
INVALID_SELECTION: Final = ProblemType(
    "invalid-selection",
    422,
    "Invalid selection",
    "Not everything that was chosen can be deleted: a finding is not there or is no file, the number of files is "
    "another, or the sweep has no findings. Nothing was asked for. Look at the findings again.",
)
IDEMPOTENCY_KEY_REUSED: Final = ProblemType(
    "idempotency-key-reused",
    422,
    "Idempotency key reused",
    "The same account has sent another request with this <code>Idempotency-Key</code> within 24 hours. Nothing was "
    "asked for. Take a new key for each new request, and the same one only to send a request again.",
)
TOO_MANY_ATTEMPTS: Final = ProblemType(
    "too-many-attempts",
    429,
    "Too many attempts",
    "Too many sign-ins failed in the last minute, from this address or at this account, or too many are under way. "
    "Nothing was tried this time; try again after the seconds that the header <code>Retry-After</code> tells. Whoever "
    "is signed in stays so.",
)
INTERNAL: Final = ProblemType(
    "internal",
    500,
    "Internal error",
    "Something went wrong that should not have. The log of the server has the details, under the "
    "<code>requestId</code> of the answer.",
)
TOO_MANY_STREAMS: Final = ProblemType(
    "too-many-streams",
    503,
    "Too many streams",
    "One process serves 200 live streams at a time, and 10 of them to one user. Close a page, or ask again after "
    "the seconds that the header <code>Retry-After</code> tells.",
)
DATABASE_UNAVAILABLE: Final = ProblemType(
    "database-unavailable",
    503,
    "Database unavailable",
    "The server cannot reach its database, or the database has not got the schema that this version needs. "
    "Work in progress goes on; try again after the seconds that the header <code>Retry-After</code> tells.",
)

PROBLEM_TYPES: Final = {
    type_.slug: type_
    for type_ in (
        INVALID_PARAMETER,
        INVALID_CURSOR,
        MALFORMED_REQUEST,
        UNAUTHENTICATED,
        WRONG_CREDENTIALS,
        NOT_ADMIN,
        CROSS_SITE,
        NOT_FOUND,
        WORK_ITEM_NOT_FOUND,
        STORAGE_CONFIG_NOT_FOUND,
        SWEEP_NOT_FOUND,
        USER_NOT_FOUND,
        METHOD_NOT_ALLOWED,
        WORK_ITEM_FINISHED,
        SWEEP_NOT_FINISHED,
        FOLDER_TAKEN,
        STORAGE_CONFIG_INACTIVE,
        CONTENT_TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        INVALID_BODY,
        INVALID_SELECTION,
        IDEMPOTENCY_KEY_REUSED,
        TOO_MANY_ATTEMPTS,
        INTERNAL,
        TOO_MANY_STREAMS,
        DATABASE_UNAVAILABLE,
    )
}
"""All of them, by slug."""
