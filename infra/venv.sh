#!/usr/bin/env bash
# Make or refresh the virtual environment $1: pinned, hashed dependencies, then the project itself, editable.
# With a lock as $2, the packages of that lock alone.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1
python=${PYTHON:-python3}
lock=${2:-infra/requirements-dev.lock}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$1 [$2]"; exit 3; }

has_pip() { "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

make_venv() {
    "$python" -m venv "$venv" >/dev/null 2>&1 && has_pip && return
    rm -rf "$venv"      # some distributions ship venv without ensurepip
    "$python" -m virtualenv --quiet "$venv" >/dev/null 2>&1 && has_pip && return
    rm -rf "$venv"
    "$python" -m venv --without-pip "$venv" >/dev/null 2>&1 || return 1
    "$python" -m pip --quiet --python "$venv/bin/python" install pip >/dev/null 2>&1 && has_pip
}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    || fail "needs Python 3.11 or newer as '$python'; name another with: make setup PYTHON=/path/to/python3" setup_python_too_old

if ! { [ -x "$venv/bin/python" ] && has_pip; }; then
    say "making $venv"
    make_venv || fail "cannot make a virtual environment with pip; install the venv or pip package of your Python (Debian: apt-get install python3-venv)" setup_no_venv
fi

installed="$venv/.lock-installed"
if ! cmp -s "$lock" "$installed"; then
    say "installing the packages of $lock"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all: -r "$lock" \
        || fail "the packages of $lock could not be installed; see above" setup_packages
    cp "$lock" "$installed"
fi
[ $# -gt 1 ] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . \
    || fail "the project itself could not be installed; see above" setup_project
say "done"
