# Everything a developer does here. Needs python3 (3.11 or newer), make and git, nothing else.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.setup-done
DOCS   := build/docs
DOCS_VENV := .venv-docs
FUZZ_VENV := .venv-fuzz
BENCH_VENV := .venv-bench
TYPED  := $(wildcard ledger pipelines infra/kafka infra/site)
QUICK  := tests/test_tidy.py tests/test_doctests.py tests/kernel tests/events tests/games/test_tables.py tests/games/test_transcripts.py tests/law

# Where nothing may be kept, each of the hundreds of commands that tests start compiles the package again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup check demo test test-full swarm fuzz lint format bench bench-compare power tour docs desk kafka-up kafka-down locks clean

help:           ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

setup: $(STAMP) ## make .venv with the pinned, hashed dependencies

$(STAMP): infra/requirements-dev.lock pyproject.toml infra/requirements.in infra/venv.sh
	@PYTHON="$(PYTHON)" bash infra/venv.sh $(VENV)
	@touch $(STAMP)

demo: setup     ## three nights over five games and coupons, one restated; ends with the path of a report
	@$(BIN)/pitledger demo

check: lint     ## the inner loop, under a minute when warm: lint, then kernel, law tables, transcripts, tidy
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not full" --hypothesis-profile=fixed $(QUICK) --deselect tests/law/test_rows_matter.py

test: setup     ## all tests but the long sweeps; starts its own Kafka broker
	@bash infra/chromium.sh
	@bash infra/s3/server.sh >/dev/null
	@bash infra/openid_provider.sh
	$(BIN)/python -m pytest -n 3 --dist loadgroup -m "not full" --hypothesis-profile=fixed tests

test-full: setup ## every test, the long sweeps too
	@bash infra/chromium.sh
	@bash infra/s3/server.sh >/dev/null
	@bash infra/openid_provider.sh
	TMPDIR=$${TMPDIR:-/tmp} $(BIN)/python -m pytest -n 3 --dist loadgroup --hypothesis-profile=random tests

swarm: setup fuzz ## fuzz, then seeds of the simulator for HOURS=1; writes infra/docs/swarm.md
	$(BIN)/python -m tests.faults.swarm --hours $(or $(HOURS),1)

fuzz: $(FUZZ_VENV)/.setup-done ## each reader of foreign bytes for SECONDS=600; keeps what reaches new code, writes infra/docs/fuzzing.md
	$(FUZZ_VENV)/bin/python -m tests.faults.fuzz --seconds $(or $(SECONDS),600)

$(FUZZ_VENV)/.setup-done: infra/requirements-fuzz.lock infra/venv.sh
	@PYTHON="$(PYTHON)" bash infra/venv.sh $(FUZZ_VENV) infra/requirements-fuzz.lock
	@touch $@

lint: setup     ## formatting, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict $(TYPED)
	$(BIN)/lint-imports

format: setup   ## put the code into the one format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup $(BENCH_VENV)/.setup-done ## speeds and ratios, peers beside; writes build/bench/<time>.json
	$(BIN)/python -m tests.benchmarks --json build/bench/$$(date -u +%Y-%m-%dT%H%M%S).json

bench-compare: setup ## what changed from A=one.json to B=other.json
	$(BIN)/python -m tests.benchmarks --compare $(A) $(B)

$(BENCH_VENV)/.setup-done: infra/requirements-bench.lock infra/venv.sh
	@PYTHON="$(PYTHON)" bash infra/venv.sh $(BENCH_VENV) infra/requirements-bench.lock
	@touch $@

power: setup    ## what the detections see, with intervals; writes infra/runbooks/power.md
	$(BIN)/python -m tests.power

tour: setup     ## nine things to see for oneself, in six minutes; PAUSE=0 does not wait
	@PAUSE=$(PAUSE) $(BIN)/python -m tests.tour

desk: setup     ## the desk on the ledger of the demo, with a sign-in for each role; until stopped
	@bash infra/desk.sh $(BIN)

docs: setup $(DOCS_VENV)/.setup-done ## the documentation site, links checked; ends with the path of its first page
	$(BIN)/python -m infra.site gather $(DOCS)
	cd $(DOCS) && $(CURDIR)/$(DOCS_VENV)/bin/zensical build --strict --clean
	$(BIN)/python -m infra.site check $(DOCS)
	@echo "open $(DOCS)/site/index.html"

$(DOCS_VENV)/.setup-done: infra/requirements-docs.lock infra/venv.sh
	@PYTHON="$(PYTHON)" bash infra/venv.sh $(DOCS_VENV) infra/requirements-docs.lock
	@touch $@

kafka-up: setup ## start a one-node Kafka broker on 127.0.0.1:19092 and make the topics
	@$(BIN)/python infra/kafka/broker.py up

kafka-down: setup ## stop it; its data is kept
	@$(BIN)/python infra/kafka/broker.py down

locks: setup    ## resolve requirements*.in again into the locks
	bash infra/locks.sh $(VENV)

clean:          ## remove virtual environments, the site and all caches; data is kept
	rm -rf $(VENV) $(DOCS_VENV) $(FUZZ_VENV) $(BENCH_VENV) $(DOCS) build/fuzz .venv-go build/s3 .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info
