# Everything a person or CI does with this checkout. Needs Python 3.11+ with its venv module, and make.

PYTHON ?= python3
PHOTOS ?= samples/photos
PYTEST_ARGS ?=
PROCESSES ?= 2

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Hash checking makes where a file came from irrelevant: a mirror can only serve the locked bytes or fail.
LOCKED := install --require-hashes
# Extra sources of whoever renews the locks must not put hashes of their own files into them.
COMPILE := env -u UV_EXTRA_INDEX_URL -u UV_INDEX -u UV_FIND_LINKS $(BIN)/uv --no-config pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --upgrade --custom-compile-command "make lock"

# A stamp is newer than what it was made from, so a second `make` finds nothing to do.
VENV_MADE := $(VENV)/made.stamp
RUNTIME := $(VENV)/runtime.stamp
DEVELOPMENT := $(VENV)/development.stamp

# What reads the admin page: of npm, by the lock in tools/page, and nothing of it is served.
PAGE_TOOLS := $(VENV)/page-tools
PAGE_TOOLS_MADE := $(PAGE_TOOLS)/made.stamp
PAGE := src/adapters/web/page
CHROMIUM ?= /usr/bin/chromium

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install up video test test-unit test-mutants check lint types architecture format lock schema \
	lifecycle openapi pictures clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: $(DEVELOPMENT) ## make .venv with everything that development and tests need

up: $(RUNTIME) ## crawl PHOTOS=dir and serve it: migrations, API and worker in one process tree
	$(BIN)/anichron up --photos "$(PHOTOS)"

video: $(RUNTIME) ## add what reads videos to .venv: 100 MB, with encoders under the GPL
	$(PIP) $(LOCKED) -r requirements/video.txt

test: $(DEVELOPMENT) browser ## run every test, in PROCESSES=2 at a time; PYTEST_ARGS="-k claim" narrows it
	$(BIN)/python -m pytest --numprocesses=$(PROCESSES) $(PYTEST_ARGS)

test-unit: $(DEVELOPMENT) ## run only the tests that need no database
	$(BIN)/python -m pytest --numprocesses=$(PROCESSES) tests/unit $(PYTEST_ARGS)

test-mutants: $(DEVELOPMENT) browser ## break the queue on purpose, one rule at a time, and expect red tests
	$(BIN)/python -m tests.mutants

check: lint types architecture ## everything that reads the code without running it

lint: $(DEVELOPMENT) ## ruff, every rule that pyproject.toml does not excuse
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(DEVELOPMENT) ## mypy, strict
	$(BIN)/mypy

architecture: $(DEVELOPMENT) ## import-linter: the walls between the rooms
	$(BIN)/lint-imports

browser: ## see to it that the browser tests have their Chromium (Debian: installs it, as root)
	@test -x "$(CHROMIUM)" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } || \
		{ echo "error: no browser at $(CHROMIUM): install it (Debian, as root: apt-get install chromium), or name one: make CHROMIUM=... browser" >&2; exit 1; }

check-page: $(DEVELOPMENT) $(PAGE_TOOLS_MADE) ## types and style of the admin page's modules, and whether what is vendored is genuine; needs Node 20 with npm
	$(PAGE_TOOLS)/node_modules/.bin/tsc -p tools/page/tsconfig.json
	$(PAGE_TOOLS)/node_modules/.bin/biome check --config-path=tools/page $(PAGE)
	$(BIN)/python tools/page/vendored.py $(PAGE_TOOLS)/node_modules

format-page: $(PAGE_TOOLS_MADE) ## lay the page's modules out as `make check-page` wants them
	$(PAGE_TOOLS)/node_modules/.bin/biome check --write --config-path=tools/page $(PAGE)

format: $(DEVELOPMENT) ## lay the code out as `make lint` wants it
	$(BIN)/ruff check --select I --fix
	$(BIN)/ruff format

lock: $(VENV_MADE) ## renew the pinned requirements in requirements/
	test -x $(BIN)/uv || $(PIP) install uv
	$(COMPILE) pyproject.toml --output-file requirements/runtime.txt
	$(COMPILE) pyproject.toml --extra video --constraint requirements/runtime.txt --output-file requirements/video.txt
	$(COMPILE) --group build --constraint requirements/runtime.txt --output-file requirements/build.txt
	$(COMPILE) --group dev --constraint requirements/video.txt --constraint requirements/build.txt \
		--output-file requirements/dev.txt

schema: $(DEVELOPMENT) ## write docs/schema.sql from the migrations
	$(BIN)/python -m adapters.sql.schema docs/schema.sql

openapi: $(DEVELOPMENT) ## write docs/openapi.json from the routes
	$(BIN)/python -m tests.support.openapi docs/openapi.json

lifecycle: $(DEVELOPMENT) ## write docs/lifecycle.md from the transition table
	$(BIN)/python -m tests.support.lifecycle docs/lifecycle.md

pictures: $(DEVELOPMENT) ## take the README's picture again
	$(BIN)/python docs/pictures/take.py

screenshots: $(DEVELOPMENT) browser ## take the README's pictures of the admin page again
	$(BIN)/python -m tests.browser.screenshots docs/pictures

clean: ## remove .venv and every cache
	rm -rf $(VENV) build dist .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -type d -name __pycache__ -prune -exec rm -rf {} +

$(VENV_MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "error: '$(PYTHON)' is not Python 3.11 or newer; name one: make PYTHON=python3.11 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "error: '$(PYTHON)' has no venv module; install it (Debian: python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUNTIME): $(VENV_MADE) pyproject.toml requirements/runtime.txt requirements/build.txt
	$(PIP) $(LOCKED) -r requirements/runtime.txt -r requirements/build.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(PAGE_TOOLS_MADE): $(VENV_MADE) tools/page/package.json tools/page/package-lock.json
	@command -v npm >/dev/null || { echo "error: no npm: install Node 20 (Debian: nodejs, npm)" >&2; exit 1; }
	mkdir -p $(PAGE_TOOLS)
	cp tools/page/package.json tools/page/package-lock.json tools/page/.npmrc $(PAGE_TOOLS)/
	cd $(PAGE_TOOLS) && npm ci --silent
	@touch $@

$(DEVELOPMENT): $(RUNTIME) requirements/dev.txt
	$(PIP) $(LOCKED) -r requirements/dev.txt
	@touch $@
