#!/usr/bin/env bash
# Resolve infra/requirements*.in into the hashed locks, for every Python from 3.11 on. Names and hashes only, no host.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"$1/bin/python" -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check uv

compile() {
    "$tools/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-header "$@"
}
compile infra/requirements.in -o infra/requirements.lock
compile -c infra/requirements.lock infra/requirements-dev.in -o infra/requirements-dev.lock
compile infra/requirements-docs.in -o infra/requirements-docs.lock
compile -c infra/requirements-dev.lock infra/requirements-fuzz.in -o infra/requirements-fuzz.lock
compile infra/requirements-bench.in -o infra/requirements-bench.lock
compile infra/requirements-go.in -o infra/requirements-go.lock
