#!/usr/bin/env bash
# See to it that a Chromium is there for the tests that open pages: the system's own package.
set -euo pipefail

say() { printf 'chromium: %s\n' "$*" >&2; }

for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
    say "no Chromium, and no way to install one here; install the package 'chromium' [setup_no_chromium]"
    exit 3
fi
say "installing the system's package (once, about a minute)"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends chromium >/dev/null \
    || { say "the package 'chromium' could not be installed; see above [setup_no_chromium]"; exit 3; }
say "done"
