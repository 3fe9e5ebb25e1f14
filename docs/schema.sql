-- The schema of Anichron at revision 0005, as its migrations make it on PostgreSQL.
-- Written by `make schema`, never by hand. SQLite has the same tables with the types that it has.

CREATE TABLE change_feed (
    one INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    origin TEXT NOT NULL,
    newest BIGINT NOT NULL,
    purged xid8 NOT NULL,
    CONSTRAINT pk_change_feed PRIMARY KEY (one),
    CONSTRAINT ck_change_feed_single CHECK (one = 1)
);
COMMENT ON TABLE change_feed IS 'What the cursors of the change feed are judged by';
COMMENT ON COLUMN change_feed.one IS 'There is one row: 1';
COMMENT ON COLUMN change_feed.epoch IS 'Part of each cursor; another one makes all void';
COMMENT ON COLUMN change_feed.origin IS 'Which copy of the database the epoch is for';
COMMENT ON COLUMN change_feed.newest IS 'SQLite: the number of the latest change';
COMMENT ON COLUMN change_feed.purged IS 'The highest change_xid of the tombstones that were purged';

CREATE TABLE sign_in_failures (
    suspect BYTEA NOT NULL,
    failures INTEGER NOT NULL,
    until TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_sign_in_failures PRIMARY KEY (suspect),
    CONSTRAINT ck_sign_in_failures_counts CHECK (failures >= 0)
);
CREATE INDEX ix_sign_in_failures_until ON sign_in_failures (until);
COMMENT ON TABLE sign_in_failures IS 'How often sign-ins failed in the last minute, by account and by address';
COMMENT ON COLUMN sign_in_failures.suspect IS 'SHA-256 of the account or the address';
COMMENT ON COLUMN sign_in_failures.failures IS 'How many since the window began';
COMMENT ON COLUMN sign_in_failures.until IS 'When the window is over';

CREATE TABLE users (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    is_admin BOOLEAN NOT NULL,
    is_disabled BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_name_key UNIQUE (name_key),
    CONSTRAINT uq_users_email_key UNIQUE (email_key)
);
COMMENT ON TABLE users IS 'Accounts. Roles are judged by this table, not by what a token says';
COMMENT ON COLUMN users.id IS 'UUIDv7';
COMMENT ON COLUMN users.name IS 'What people call the account, as they write it';
COMMENT ON COLUMN users.name_key IS 'The name, capitals aside';
COMMENT ON COLUMN users.email IS 'E-mail address, as they write it';
COMMENT ON COLUMN users.email_key IS 'The address, capitals aside';
COMMENT ON COLUMN users.password_hash IS 'Argon2id hash with its parameters';
COMMENT ON COLUMN users.is_admin IS 'May see and cancel everybody''s work';
COMMENT ON COLUMN users.is_disabled IS 'May not sign in; tokens are refused at once';
COMMENT ON COLUMN users.created_at IS 'When the account was added';

CREATE TABLE work_item_tombstones (
    change_xid xid8 NOT NULL,
    id UUID NOT NULL,
    deleted_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_work_item_tombstones PRIMARY KEY (change_xid, id)
);
COMMENT ON TABLE work_item_tombstones IS 'Items that are gone, written by a trigger, for those who have not heard of it yet';
COMMENT ON COLUMN work_item_tombstones.change_xid IS 'Which transaction deleted the item; on SQLite the number of the change';
COMMENT ON COLUMN work_item_tombstones.id IS 'Which item is gone';
COMMENT ON COLUMN work_item_tombstones.deleted_at IS 'When it went: it is remembered for some days';

CREATE TABLE request_keys (
    user_id UUID NOT NULL,
    key TEXT NOT NULL,
    digest BYTEA NOT NULL,
    work_item_ids TEXT NOT NULL,
    taken_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_request_keys PRIMARY KEY (user_id, key),
    CONSTRAINT fk_request_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_request_keys_taken_at ON request_keys (taken_at);
COMMENT ON TABLE request_keys IS 'Requests that may be sent again without being done again';
COMMENT ON COLUMN request_keys.user_id IS 'Whose request';
COMMENT ON COLUMN request_keys.key IS 'What its sender calls it: Idempotency-Key';
COMMENT ON COLUMN request_keys.digest IS 'Hash of what was asked';
COMMENT ON COLUMN request_keys.work_item_ids IS 'What came of it, with blanks between';
COMMENT ON COLUMN request_keys.taken_at IS 'Forgotten 24 hours later';

CREATE TABLE sessions (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);
COMMENT ON TABLE sessions IS 'Sessions of people: who ends one deletes its row, and its tokens go with it';
COMMENT ON COLUMN sessions.id IS 'UUIDv7';
COMMENT ON COLUMN sessions.user_id IS 'Who signed in';
COMMENT ON COLUMN sessions.created_at IS 'When they did';
COMMENT ON COLUMN sessions.ends_at IS 'When they have to do so again, however busy';

CREATE TABLE storage_configs (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    root_path TEXT NOT NULL,
    is_active BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_storage_configs PRIMARY KEY (id),
    CONSTRAINT fk_storage_configs_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT uq_storage_configs_root_path UNIQUE (root_path)
);
CREATE INDEX ix_storage_configs_user_id ON storage_configs (user_id);
COMMENT ON TABLE storage_configs IS 'Photo folders. What belongs to one goes when it goes';
COMMENT ON COLUMN storage_configs.id IS 'UUIDv7; the scope of the work on this folder';
COMMENT ON COLUMN storage_configs.user_id IS 'Whose folder it is';
COMMENT ON COLUMN storage_configs.root_path IS 'Absolute path of the photo folder';
COMMENT ON COLUMN storage_configs.is_active IS 'Whether it is crawled';
COMMENT ON COLUMN storage_configs.created_at IS 'When it was added';

CREATE TABLE workers (
    name TEXT NOT NULL,
    user_id UUID,
    version TEXT NOT NULL,
    slots INTEGER NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_workers PRIMARY KEY (name),
    CONSTRAINT fk_workers_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_workers_user_id ON workers (user_id);
COMMENT ON TABLE workers IS 'Presence of workers, refreshed by their polls';
COMMENT ON COLUMN workers.name IS 'As in claimed_by: unique to one process run';
COMMENT ON COLUMN workers.user_id IS 'Whose items it serves; null = all';
COMMENT ON COLUMN workers.version IS 'Which version it runs';
COMMENT ON COLUMN workers.slots IS 'How many items it runs at once';
COMMENT ON COLUMN workers.started_at IS 'When it was first seen';
COMMENT ON COLUMN workers.last_seen_at IS 'When it last polled';

CREATE TABLE media_assets (
    id UUID NOT NULL,
    storage_config_id UUID NOT NULL,
    file_path BYTEA NOT NULL,
    file_name TEXT NOT NULL,
    pair_key BYTEA,
    content_hash BYTEA NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    ctime_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    media_type TEXT NOT NULL,
    date_captured TEXT,
    utc_offset TEXT,
    date_source TEXT,
    year INTEGER,
    month INTEGER,
    day INTEGER,
    is_soft_deleted BOOLEAN NOT NULL,
    first_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    paired_asset_id UUID,
    CONSTRAINT pk_media_assets PRIMARY KEY (id),
    CONSTRAINT uq_media_assets_storage_config_id_file_path UNIQUE (storage_config_id, file_path),
    CONSTRAINT fk_media_assets_storage_config_id FOREIGN KEY(storage_config_id) REFERENCES storage_configs (id) ON DELETE CASCADE,
    CONSTRAINT fk_media_assets_paired_asset_id FOREIGN KEY(paired_asset_id) REFERENCES media_assets (id) ON DELETE SET NULL
);
CREATE INDEX ix_media_assets_content ON media_assets (storage_config_id, content_hash);
CREATE INDEX ix_media_assets_on_this_day ON media_assets (month, day);
CREATE INDEX ix_media_assets_pair ON media_assets (paired_asset_id);
CREATE INDEX ix_media_assets_pair_key ON media_assets (storage_config_id, pair_key);
COMMENT ON TABLE media_assets IS 'One row a file. Copies in two folders stay two rows';
COMMENT ON COLUMN media_assets.id IS 'UUIDv7';
COMMENT ON COLUMN media_assets.storage_config_id IS 'Whose folder it lies in';
COMMENT ON COLUMN media_assets.file_path IS 'Path below the root, byte for byte';
COMMENT ON COLUMN media_assets.file_name IS 'Last part of the path, readable; escaped if not UTF-8';
COMMENT ON COLUMN media_assets.pair_key IS 'Path without its suffix, capitals aside: finds Live Photos';
COMMENT ON COLUMN media_assets.content_hash IS 'BLAKE3-256 of the bytes read';
COMMENT ON COLUMN media_assets.size IS 'Bytes';
COMMENT ON COLUMN media_assets.mtime_ns IS 'Modification time, nanoseconds since 1970';
COMMENT ON COLUMN media_assets.ctime_ns IS 'Change time, nanoseconds since 1970';
COMMENT ON COLUMN media_assets.inode IS 'Inode number, wrapped to 64 signed bits';
COMMENT ON COLUMN media_assets.media_type IS 'By content, not by extension: image/jpeg, ...';
COMMENT ON COLUMN media_assets.date_captured IS 'Local wall time as written: YYYY-MM-DDTHH:MM:SS[.ffffff]';
COMMENT ON COLUMN media_assets.utc_offset IS 'Offset of the local time, +HH:MM; null = unknown';
COMMENT ON COLUMN media_assets.date_source IS 'Where the date was found';
COMMENT ON COLUMN media_assets.year IS 'Of the local capture date';
COMMENT ON COLUMN media_assets.month IS 'Of the local capture date';
COMMENT ON COLUMN media_assets.day IS 'Of the local capture date';
COMMENT ON COLUMN media_assets.is_soft_deleted IS 'Gone from the folder';
COMMENT ON COLUMN media_assets.first_seen_at IS 'When a crawl first found it';
COMMENT ON COLUMN media_assets.last_seen_at IS 'When a crawl last wrote that it is there; of an unchanged file nothing is written';
COMMENT ON COLUMN media_assets.paired_asset_id IS 'Live Photo half';

CREATE TABLE media_failures (
    storage_config_id UUID NOT NULL,
    file_path BYTEA NOT NULL,
    reason TEXT NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    first_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_media_failures PRIMARY KEY (storage_config_id, file_path),
    CONSTRAINT fk_media_failures_storage_config_id FOREIGN KEY(storage_config_id) REFERENCES storage_configs (id) ON DELETE CASCADE
);
COMMENT ON TABLE media_failures IS 'Files that could not be taken in: not tried again until they change. For their owner, not for the web';
COMMENT ON COLUMN media_failures.storage_config_id IS 'Whose folder it lies in';
COMMENT ON COLUMN media_failures.file_path IS 'Path below the root, byte for byte; that of a folder ends in a slash';
COMMENT ON COLUMN media_failures.reason IS 'Stable code: truncated, too-many-pixels, ...';
COMMENT ON COLUMN media_failures.size IS 'Bytes, when it failed';
COMMENT ON COLUMN media_failures.mtime_ns IS 'Modification time, when it failed, nanoseconds since 1970';
COMMENT ON COLUMN media_failures.first_seen_at IS 'When it first failed';
COMMENT ON COLUMN media_failures.last_seen_at IS 'When it was last tried';

CREATE TABLE refresh_tokens (
    id UUID NOT NULL,
    session_id UUID NOT NULL,
    token_hash BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    rotated_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_refresh_tokens PRIMARY KEY (id),
    CONSTRAINT fk_refresh_tokens_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE CASCADE,
    CONSTRAINT uq_refresh_tokens_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_refresh_tokens_expires_at ON refresh_tokens (expires_at);
CREATE INDEX ix_refresh_tokens_session_id ON refresh_tokens (session_id);
COMMENT ON TABLE refresh_tokens IS 'Refresh tokens, hashed at rest. Of one session at most one is good';
COMMENT ON COLUMN refresh_tokens.id IS 'UUIDv7';
COMMENT ON COLUMN refresh_tokens.session_id IS 'Which session it prolongs';
COMMENT ON COLUMN refresh_tokens.token_hash IS 'SHA-256 of the token';
COMMENT ON COLUMN refresh_tokens.created_at IS 'When it was given out';
COMMENT ON COLUMN refresh_tokens.expires_at IS 'Refused, and soon deleted, after this';
COMMENT ON COLUMN refresh_tokens.rotated_at IS 'When another took its place: seen again, it ends the session; null = good';

CREATE TABLE work_items (
    id UUID NOT NULL,
    kind TEXT NOT NULL,
    payload JSON NOT NULL,
    storage_config_id UUID,
    dedup_key TEXT,
    requested_by UUID,
    requested_at TIMESTAMP WITH TIME ZONE NOT NULL,
    status TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    stalls INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    run_after TIMESTAMP WITH TIME ZONE,
    claimed_by TEXT,
    started_at TIMESTAMP WITH TIME ZONE,
    lease_until TIMESTAMP WITH TIME ZONE,
    finished_at TIMESTAMP WITH TIME ZONE,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    cancel_requested_at TIMESTAMP WITH TIME ZONE,
    progress_done BIGINT NOT NULL,
    progress_total BIGINT,
    progress_note TEXT NOT NULL,
    result JSON,
    partial BOOLEAN NOT NULL,
    error TEXT,
    error_code TEXT,
    revision BIGINT NOT NULL,
    change_xid xid8 DEFAULT '0' NOT NULL,
    CONSTRAINT pk_work_items PRIMARY KEY (id),
    CONSTRAINT ck_work_items_known_status CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    CONSTRAINT ck_work_items_leased_while_running CHECK ((status = 'running') = (lease_until IS NOT NULL)),
    CONSTRAINT ck_work_items_finished_once_terminal CHECK ((status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CONSTRAINT ck_work_items_run_after_while_queued CHECK (run_after IS NULL OR status = 'queued'),
    CONSTRAINT ck_work_items_counts CHECK (attempt >= 0 AND stalls >= 0 AND retries >= 0),
    CONSTRAINT fk_work_items_storage_config_id FOREIGN KEY(storage_config_id) REFERENCES storage_configs (id) ON DELETE CASCADE,
    CONSTRAINT fk_work_items_requested_by FOREIGN KEY(requested_by) REFERENCES users (id)
) WITH (fillfactor = 80, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
CREATE INDEX ix_work_items_changes ON work_items (kind, status, change_xid, id);
CREATE INDEX ix_work_items_finished ON work_items (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX ix_work_items_history ON work_items (dedup_key, finished_at) WHERE dedup_key IS NOT NULL;
CREATE INDEX ix_work_items_later ON work_items (kind, storage_config_id, run_after, id) WHERE status = 'queued' AND run_after IS NOT NULL;
CREATE INDEX ix_work_items_leases ON work_items (lease_until) WHERE status = 'running';
CREATE INDEX ix_work_items_ready ON work_items (kind, storage_config_id, requested_at, id) WHERE status = 'queued' AND run_after IS NULL;
CREATE INDEX ix_work_items_requester ON work_items (requested_by, kind, status, change_xid, id);
CREATE INDEX ix_work_items_scope ON work_items (storage_config_id, requested_by, kind, status, change_xid, id) WHERE storage_config_id IS NOT NULL;
CREATE UNIQUE INDEX uq_work_items_waiting_dedup_key ON work_items (dedup_key) WHERE status = 'queued' AND dedup_key IS NOT NULL;

CREATE FUNCTION stamp_work_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change_xid := pg_current_xact_id();
    RETURN NEW;
END
$$;

CREATE TRIGGER work_items_stamp BEFORE INSERT OR UPDATE ON work_items
FOR EACH ROW EXECUTE FUNCTION stamp_work_item();

CREATE FUNCTION bury_work_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO work_item_tombstones (change_xid, id, deleted_at)
    SELECT pg_current_xact_id(), gone.id, clock_timestamp() FROM gone
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER work_items_bury AFTER DELETE ON work_items REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION bury_work_items();
COMMENT ON TABLE work_items IS 'Work items: durable requests for work';
COMMENT ON COLUMN work_items.id IS 'UUIDv7, made by whoever asked';
COMMENT ON COLUMN work_items.kind IS 'What the work is; may be unknown to this version';
COMMENT ON COLUMN work_items.payload IS 'What was asked for, as its kind defines it';
COMMENT ON COLUMN work_items.storage_config_id IS 'Scope; null = unscoped. The item goes when the config goes';
COMMENT ON COLUMN work_items.dedup_key IS 'At most one queued item may hold a key; null = never coalesced';
COMMENT ON COLUMN work_items.requested_by IS 'Who asked; null = the schedule';
COMMENT ON COLUMN work_items.requested_at IS 'Place in the queue, by the database''s clock';
COMMENT ON COLUMN work_items.status IS 'queued, running, succeeded, failed or cancelled';
COMMENT ON COLUMN work_items.attempt IS 'How often it was claimed: the fencing token';
COMMENT ON COLUMN work_items.stalls IS 'How often its lease ran out';
COMMENT ON COLUMN work_items.retries IS 'How often a failure was tried again';
COMMENT ON COLUMN work_items.run_after IS 'Queued, but not ready before this instant; null = ready';
COMMENT ON COLUMN work_items.claimed_by IS 'Who runs it, or ran it last; for display, never a fence';
COMMENT ON COLUMN work_items.started_at IS 'When the latest attempt was claimed';
COMMENT ON COLUMN work_items.lease_until IS 'Set while running: how long the attempt is its worker''s';
COMMENT ON COLUMN work_items.finished_at IS 'Set once terminal';
COMMENT ON COLUMN work_items.updated_at IS 'When the row was last written, for display';
COMMENT ON COLUMN work_items.cancel_requested_at IS 'When somebody first asked to stop it';
COMMENT ON COLUMN work_items.progress_done IS 'Work done, as the last heartbeat told';
COMMENT ON COLUMN work_items.progress_total IS 'Work in all; null = unknown';
COMMENT ON COLUMN work_items.progress_note IS 'Counts in words; never a file name';
COMMENT ON COLUMN work_items.result IS 'Summary of what the run produced';
COMMENT ON COLUMN work_items.partial IS 'The result is of a cancelled run';
COMMENT ON COLUMN work_items.error IS 'Why it failed, was cancelled, or is tried again; never a file name';
COMMENT ON COLUMN work_items.error_code IS 'Stable word for the error';
COMMENT ON COLUMN work_items.revision IS 'Grows by one with every write';
COMMENT ON COLUMN work_items.change_xid IS 'Which transaction wrote it last, set by a trigger; on SQLite the number of the change';

CREATE TABLE media_metadata (
    asset_id UUID NOT NULL,
    width INTEGER,
    height INTEGER,
    orientation INTEGER NOT NULL,
    latitude DOUBLE PRECISION,
    longitude DOUBLE PRECISION,
    camera_make TEXT,
    camera_model TEXT,
    lens_model TEXT,
    duration_ms BIGINT,
    content_identifier TEXT,
    blurhash TEXT,
    CONSTRAINT pk_media_metadata PRIMARY KEY (asset_id),
    CONSTRAINT fk_media_metadata_asset_id FOREIGN KEY(asset_id) REFERENCES media_assets (id) ON DELETE CASCADE
);
COMMENT ON TABLE media_metadata IS 'What an asset''s file says of itself';
COMMENT ON COLUMN media_metadata.asset_id IS 'Whose it is';
COMMENT ON COLUMN media_metadata.width IS 'Pixels, as displayed; null = nobody could look';
COMMENT ON COLUMN media_metadata.height IS 'Pixels, as displayed; null = nobody could look';
COMMENT ON COLUMN media_metadata.orientation IS 'EXIF orientation of the original, 1 to 8';
COMMENT ON COLUMN media_metadata.latitude IS 'Degrees north';
COMMENT ON COLUMN media_metadata.longitude IS 'Degrees east';
COMMENT ON COLUMN media_metadata.camera_make IS 'EXIF Make';
COMMENT ON COLUMN media_metadata.camera_model IS 'EXIF Model';
COMMENT ON COLUMN media_metadata.lens_model IS 'EXIF LensModel';
COMMENT ON COLUMN media_metadata.duration_ms IS 'Videos: milliseconds';
COMMENT ON COLUMN media_metadata.content_identifier IS 'What both halves of a Live Photo say they belong to';
COMMENT ON COLUMN media_metadata.blurhash IS 'A 4 by 3 placeholder picture';

CREATE TABLE media_proxies (
    asset_id UUID NOT NULL,
    proxy_type TEXT NOT NULL,
    path TEXT NOT NULL,
    size BIGINT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_media_proxies PRIMARY KEY (asset_id, proxy_type),
    CONSTRAINT fk_media_proxies_asset_id FOREIGN KEY(asset_id) REFERENCES media_assets (id) ON DELETE CASCADE
);
CREATE INDEX ix_media_proxies_path ON media_proxies (path);
COMMENT ON TABLE media_proxies IS 'Small pictures made of an asset';
COMMENT ON COLUMN media_proxies.asset_id IS 'Whose it is';
COMMENT ON COLUMN media_proxies.proxy_type IS 'thumbnail or preview';
COMMENT ON COLUMN media_proxies.path IS 'Below the proxies folder';
COMMENT ON COLUMN media_proxies.size IS 'Bytes';
COMMENT ON COLUMN media_proxies.width IS 'Pixels';
COMMENT ON COLUMN media_proxies.height IS 'Pixels';
COMMENT ON COLUMN media_proxies.created_at IS 'When the row was written';

CREATE TABLE proxy_sweep_findings (
    work_item_id UUID NOT NULL,
    attempt INTEGER NOT NULL,
    number INTEGER NOT NULL,
    what TEXT NOT NULL,
    path TEXT NOT NULL,
    size BIGINT NOT NULL,
    modified_at TIMESTAMP WITH TIME ZONE,
    owner_id UUID NOT NULL,
    CONSTRAINT pk_proxy_sweep_findings PRIMARY KEY (work_item_id, attempt, number),
    CONSTRAINT fk_proxy_sweep_findings_work_item_id FOREIGN KEY(work_item_id) REFERENCES work_items (id) ON DELETE CASCADE
);
COMMENT ON TABLE proxy_sweep_findings IS 'What proxy sweeps have found, tagged with the run that found it';
COMMENT ON COLUMN proxy_sweep_findings.work_item_id IS 'The sweep that found it';
COMMENT ON COLUMN proxy_sweep_findings.attempt IS 'Counts only if it is the one that finished';
COMMENT ON COLUMN proxy_sweep_findings.number IS 'Counts the findings of the attempt, from 1';
COMMENT ON COLUMN proxy_sweep_findings.what IS 'orphan-file, temporary-leftover or missing-file';
COMMENT ON COLUMN proxy_sweep_findings.path IS 'Below the proxies folder';
COMMENT ON COLUMN proxy_sweep_findings.size IS 'Bytes; of a missing file those of its row';
COMMENT ON COLUMN proxy_sweep_findings.modified_at IS 'When the file was last modified; null = missing';
COMMENT ON COLUMN proxy_sweep_findings.owner_id IS 'The storage config that the path names; it may not exist any more';

CREATE TABLE work_item_attempts (
    work_item_id UUID NOT NULL,
    attempt INTEGER NOT NULL,
    claimed_by TEXT NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended TEXT NOT NULL,
    error TEXT,
    error_code TEXT,
    CONSTRAINT pk_work_item_attempts PRIMARY KEY (work_item_id, attempt),
    CONSTRAINT ck_work_item_attempts_known_end CHECK (ended IN ('succeeded', 'failed', 'retried', 'cancelled', 'released', 'stalled', 'superseded')),
    CONSTRAINT fk_work_item_attempts_work_item_id FOREIGN KEY(work_item_id) REFERENCES work_items (id) ON DELETE CASCADE
);
COMMENT ON TABLE work_item_attempts IS 'How each run of a work item ended: why did it run three times?';
COMMENT ON COLUMN work_item_attempts.work_item_id IS 'Whose run it was';
COMMENT ON COLUMN work_item_attempts.attempt IS 'Which run, from 1';
COMMENT ON COLUMN work_item_attempts.claimed_by IS 'Who ran it';
COMMENT ON COLUMN work_item_attempts.started_at IS 'When it was claimed';
COMMENT ON COLUMN work_item_attempts.ended_at IS 'When it ended';
COMMENT ON COLUMN work_item_attempts.ended IS 'succeeded, failed, retried, cancelled, released, stalled or superseded';
COMMENT ON COLUMN work_item_attempts.error IS 'Why this run failed; never a file name';
COMMENT ON COLUMN work_item_attempts.error_code IS 'Stable word for the error';

CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
COMMENT ON TABLE alembic_version IS 'Which migration ran last';
COMMENT ON COLUMN alembic_version.version_num IS 'Its revision';
