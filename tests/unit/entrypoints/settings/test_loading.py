"""Settings from an environment: every problem at once, each naming its variable, no secret repeated."""

from datetime import UTC, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest

from entrypoints.settings.errors import SettingsError
from entrypoints.settings.loading import load
from entrypoints.settings.model import LogFormat, LogLevel, Migrate

SECRET = "correct-horse-battery-staple-0123456789"


def lines(**environ: str) -> tuple[str, ...]:
    """What is said about an environment that cannot be used."""
    with pytest.raises(SettingsError) as raised:
        load(environ)
    return raised.value.lines


def test_an_empty_environment_has_the_documented_defaults() -> None:
    settings = load({}).settings

    assert settings.database_url is None
    assert settings.database.migrate is Migrate.AUTO
    assert settings.database.behind_pooler is False
    assert settings.worker.user is None
    assert settings.worker.root == Path("/data/originals")
    assert settings.worker.poll == timedelta(seconds=5)
    assert settings.worker.heartbeat == timedelta(seconds=2)
    assert settings.worker.lease == timedelta(seconds=60)
    assert settings.worker.stall_limit == 3
    assert settings.worker.retention == timedelta(days=30)
    assert settings.worker.retention_interval == timedelta(hours=24)
    assert settings.worker.token_cleanup_interval == timedelta(hours=24)
    assert settings.worker.crawl_interval == timedelta(hours=4)
    assert settings.worker.time_zone is UTC
    assert settings.worker.settling == timedelta(seconds=3)
    assert settings.worker.skipped_names == (
        "@eaDir",
        "#recycle",
        ".@__thumb",
        "$RECYCLE.BIN",
        "lost+found",
    )
    assert settings.worker.max_concurrent_files == 4
    assert settings.worker.slots == 1
    assert settings.worker.shutdown_grace == timedelta(seconds=8)
    assert (settings.api.host, settings.api.port) == ("127.0.0.1", 8080)
    assert settings.api.stream == timedelta(seconds=2)
    assert settings.api.root_path == ""
    assert settings.forwarded.allow_ips == ()
    assert settings.jwt.secret is None
    assert (settings.jwt.issuer, settings.jwt.audience) == ("anichron", "anichron")
    assert settings.cors.allowed_origins == ()
    assert (settings.log.level, settings.log.format) == (LogLevel.INFO, LogFormat.AUTO)


def test_values_are_read_in_the_unit_that_their_name_tells() -> None:
    settings = load(
        {
            "WORKER__POLL_SECONDS": "0.5",
            "WORKER__CRAWL_INTERVAL_HOURS": "1.5",
            "WORKER__RETENTION_DAYS": "7",
            "API__STREAM_SECONDS": "0",
            "WORKER__SETTLING_SECONDS": "0",
            "WORKER__SKIPPED_NAMES": "*.lrdata, previews",
        }
    ).settings

    assert settings.worker.settling == timedelta(0)
    assert settings.worker.skipped_names == ("*.lrdata", "previews")
    assert settings.worker.poll == timedelta(milliseconds=500)
    assert settings.worker.crawl_interval == timedelta(minutes=90)
    assert settings.worker.retention == timedelta(days=7)
    assert settings.api.stream == timedelta(0)


def test_names_may_be_written_in_any_case() -> None:
    settings = load({"Jwt__Issuer": "photos", "worker__slots": "2"}).settings

    assert settings.jwt.issuer == "photos"
    assert settings.worker.slots == 2


def test_a_variable_set_to_nothing_counts_as_not_set() -> None:
    settings = load({"WORKER__USER": "", "API__PORT": "", "JWT__SECRET": ""}).settings

    assert settings.worker.user is None
    assert settings.api.port == 8080
    assert settings.jwt.secret is None


def test_origins_are_listed_with_commas() -> None:
    settings = load({"CORS__ALLOWED_ORIGINS": "https://photos.example, http://localhost:5173"}).settings

    assert settings.cors.allowed_origins == ("https://photos.example", "http://localhost:5173")


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("WORKER__LEASE_SECONDS", "soon", "WORKER__LEASE_SECONDS=soon: must be a number"),
        ("WORKER__LEASE_SECONDS", "nan", "WORKER__LEASE_SECONDS=nan: must be a number"),
        ("WORKER__POLL_SECONDS", "0", "WORKER__POLL_SECONDS=0: must be more than 0"),
        ("WORKER__POLL_SECONDS", "0.01", "WORKER__POLL_SECONDS=0.01: must be at least 0.05"),
        ("WORKER__HEARTBEAT_SECONDS", "-1", "WORKER__HEARTBEAT_SECONDS=-1: must be more than 0"),
        ("WORKER__CRAWL_INTERVAL_HOURS", "-4", "WORKER__CRAWL_INTERVAL_HOURS=-4: must be more than 0"),
        ("WORKER__RETENTION_DAYS", "1e9", "WORKER__RETENTION_DAYS=1e9: must be at most 3650"),
        ("API__STREAM_SECONDS", "-2", "API__STREAM_SECONDS=-2: must be 0 or more"),
        (
            "API__STREAM_SECONDS",
            "0.01",
            "API__STREAM_SECONDS=0.01: must be from 0.05 to 60, or 0 for no live stream",
        ),
        (
            "API__STREAM_SECONDS",
            "61",
            "API__STREAM_SECONDS=61: must be from 0.05 to 60, or 0 for no live stream",
        ),
        ("WORKER__STALL_LIMIT", "0", "WORKER__STALL_LIMIT=0: must be at least 1"),
        ("WORKER__STALL_LIMIT", "2.5", "WORKER__STALL_LIMIT=2.5: must be a whole number"),
        ("WORKER__SLOTS", "65", "WORKER__SLOTS=65: must be at most 64"),
        ("WORKER__MAX_CONCURRENT_FILES", "many", "WORKER__MAX_CONCURRENT_FILES=many: must be a whole number"),
        ("WORKER__SHUTDOWN_GRACE_SECONDS", "1.5", "WORKER__SHUTDOWN_GRACE_SECONDS=1.5: must be at least 2"),
        ("API__PORT", "0", "API__PORT=0: must be at least 1"),
        ("API__PORT", "65536", "API__PORT=65536: must be at most 65535"),
        ("POSTGRES_CONNECTION__PORT", "x", "POSTGRES_CONNECTION__PORT=x: must be a whole number"),
        (
            "WORKER__TIME_ZONE",
            "Vienna",
            "WORKER__TIME_ZONE=Vienna: must be a time zone that is known here, such as Europe/Vienna or UTC",
        ),
        (
            "WORKER__SKIPPED_NAMES",
            "previews,a/b",
            (
                "WORKER__SKIPPED_NAMES=previews,a/b: must list names of files or folders, none of them a path, "
                "with a comma between two"
            ),
        ),
        ("WORKER__SETTLING_SECONDS", "-1", "WORKER__SETTLING_SECONDS=-1: must be 0 or more"),
        ("DATABASE__BEHIND_POOLER", "x", "DATABASE__BEHIND_POOLER=x: must be true or false"),
        *(
            (
                name,
                host,
                f"{name}={shown}: must be the name of a host, or an address such as 192.0.2.1 or ::1",
            )
            for name in ("API__HOST", "POSTGRES_CONNECTION__HOST")
            for host, shown in [
                ("a b", "a b"),
                ("http://a", "http://a"),
                ("a:1", "a:1"),
                ("[::1]", "[::1]"),
                (".", "."),
            ]
        ),
        ("LOG__LEVEL", "loud", "LOG__LEVEL=loud: must be debug, info, warning or error"),
        ("LOG__FORMAT", "xml", "LOG__FORMAT=xml: must be auto, json or text"),
        ("DATABASE__MIGRATE", "yes", "DATABASE__MIGRATE=yes: must be auto, check or off"),
        (
            "CORS__ALLOWED_ORIGINS",
            "photos.example",
            "CORS__ALLOWED_ORIGINS=photos.example: must list origins such as https://photos.example, with a comma between two",
        ),
        (
            "POSTGRES_CONNECTION__USER",
            "ada",
            "POSTGRES_CONNECTION__HOST: must name the server, since POSTGRES_CONNECTION__USER is set; without a server unset that too",
        ),
        (
            "WORKER__LEASE_SECONDS",
            "5",
            "WORKER__LEASE_SECONDS=5: must be at least 3 \N{MULTIPLICATION SIGN} WORKER__HEARTBEAT_SECONDS (2)",
        ),
        (
            "WORKER__HEARTBEAT_SECONDS",
            "30",
            "WORKER__HEARTBEAT_SECONDS=30: must be at most a third of WORKER__LEASE_SECONDS (60)",
        ),
        (
            "WORKER__RETENTION_DAYS",
            "0.5",
            "WORKER__RETENTION_DAYS=0.5: must be at least WORKER__RETENTION_INTERVAL_HOURS (24 hours)",
        ),
        (
            "WORKER__CRAWL_INTERVAL_HOURS",
            "1000",
            "WORKER__CRAWL_INTERVAL_HOURS=1000: must be at most WORKER__RETENTION_DAYS (30 days)",
        ),
    ],
)
def test_an_impossible_value_is_one_line_that_names_its_variable(name: str, value: str, line: str) -> None:
    assert lines(**{name: value}) == (line,)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ada:hunter2@db/photos",
        "hunter2",
        "sqlite:///",
        "sqlite://",
        "postgresql:hunter2",
        "postgresql://h:/x",
        "postgresql://ada:hunter2@a b/x",
    ],
)
def test_a_database_url_that_is_none_is_named_but_never_repeated(url: str) -> None:
    (line,) = lines(DATABASE_URL=url)

    assert line.startswith("DATABASE_URL: must be postgresql://")
    assert "hunter2" not in line


def test_a_short_secret_is_named_but_never_repeated() -> None:
    assert lines(JWT__SECRET="hunter2") == ("JWT__SECRET: must be at least 32 bytes long",)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    said = lines(WORKER__SLOTS="none", API__PORT="0", WORKER__LEASE_SECONDS="1", JWT__SECRET="x")

    assert said == (
        "API__PORT=0: must be at least 1",
        "JWT__SECRET: must be at least 32 bytes long",
        "WORKER__LEASE_SECONDS=1: must be at least 3 \N{MULTIPLICATION SIGN} WORKER__HEARTBEAT_SECONDS (2)",
        "WORKER__SLOTS=none: must be a whole number",
    )


def test_a_value_is_not_judged_by_another_one_that_is_wrong_itself() -> None:
    assert lines(WORKER__LEASE_SECONDS="6", WORKER__HEARTBEAT_SECONDS="x") == (
        "WORKER__HEARTBEAT_SECONDS=x: must be a number",
    )


def test_a_value_that_would_break_a_line_is_shown_on_one() -> None:
    assert lines(WORKER__SLOTS="1\n\x1b[31m") == ("WORKER__SLOTS=1\ufffd\ufffd[31m: must be a whole number",)


def test_the_same_setting_in_two_spellings_is_refused() -> None:
    assert lines(JWT__SECRET=SECRET, Jwt__Secret=SECRET) == (
        "JWT__SECRET and Jwt__Secret are both set: keep one of them",
    )


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("WORKER__SLOT", "WORKER__SLOT is not a setting; did you mean WORKER__SLOTS?"),
        ("worker__lease", "worker__lease is not a setting; did you mean WORKER__LEASE_SECONDS?"),
        ("WORKER_POLL_SECONDS", "WORKER_POLL_SECONDS is not a setting; did you mean WORKER__POLL_SECONDS?"),
        ("LOG__LEVELS_FILE", "LOG__LEVELS_FILE is not a setting; did you mean LOG__LEVEL_FILE?"),
        ("API__XYZZY", "API__XYZZY is not a setting"),
    ],
)
def test_a_misspelled_name_is_a_warning_with_the_nearest_one(name: str, warning: str) -> None:
    assert load({name: "1"}).warnings == (warning,)


def test_variables_of_others_are_none_of_its_business() -> None:
    loaded = load({"WORKER": "{", "API": "x", "HOME": "/root", "DATABASE": "1", "LOG": "[]"})

    assert loaded.warnings == ()
    assert loaded.settings.worker.slots == 1


def test_it_is_told_where_each_value_came_from(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)

    loaded = load({"worker__slots": "2", "JWT__SECRET_FILE": str(secret)})

    assert loaded.origin_of("WORKER__SLOTS") == "environment, worker__slots"
    assert loaded.origin_of("JWT__SECRET") == f"file {secret}, named by JWT__SECRET_FILE"
    assert loaded.origin_of("API__PORT") == "default"


def test_settings_do_not_change() -> None:
    settings = load({}).settings

    with pytest.raises(ValueError, match="frozen"):
        settings.worker.slots = 2


def test_proxies_are_addresses_and_networks_or_everybody() -> None:
    trusted = load({"FORWARDED__ALLOW_IPS": "10.0.0.7, 172.18.0.0/16,fd00::/8"}).settings.forwarded.allow_ips
    everybody = load({"FORWARDED__ALLOW_IPS": "*"}).settings.forwarded.allow_ips

    assert trusted == (ip_network("10.0.0.7/32"), ip_network("172.18.0.0/16"), ip_network("fd00::/8"))
    assert everybody == (ip_network("0.0.0.0/0"), ip_network("::/0"))


@pytest.mark.parametrize("written", ["nginx", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.1;10.0.0.2"])
def test_a_proxy_that_is_no_address_is_told(written: str) -> None:
    (line,) = lines(FORWARDED__ALLOW_IPS=written)

    assert line == (
        f"FORWARDED__ALLOW_IPS={written}: must list addresses or networks such as 172.18.0.0/16, "
        "with a comma between two, or be *"
    )


@pytest.mark.parametrize(
    ("written", "prefix"), [("/anichron", "/anichron"), ("/a/b-1/", "/a/b-1"), ("/", "")]
)
def test_a_root_path_ends_without_a_slash(written: str, prefix: str) -> None:
    assert load({"API__ROOT_PATH": written}).settings.api.root_path == prefix


@pytest.mark.parametrize("written", ["anichron", "//evil.example", "/a//b", "/a/../b", "/a b", "/a?b"])
def test_a_root_path_that_is_none_is_told(written: str) -> None:
    assert lines(API__ROOT_PATH=written) == (
        f"API__ROOT_PATH={written}: must be a path such as /anichron, of letters, digits and . _ ~ -",
    )
