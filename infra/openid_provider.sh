#!/usr/bin/env bash
# See to it that tests of the desk's sign-in find a real OpenID provider in build/provider: npm packages, by their lock.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'provider: %s\n' "$*" >&2; }

from=tests/web/provider
to=build/provider
mkdir -p "$to"
cp "$from/provider.mjs" "$to/"
cmp -s "$from/package-lock.json" "$to/.lock-installed" && [ -d "$to/node_modules" ] && exit 0

if ! command -v npm >/dev/null 2>&1; then   # Playwright brings a Node, which runs the provider, and no npm
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
        say "npm is missing and not to be installed here; install it [setup_no_npm]"
        exit 3
    fi
    say "installing the system's package (once, about a minute): npm"
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends npm >/dev/null \
        || { say "could not be installed: npm; see above [setup_no_npm]"; exit 3; }
fi
say "installing the packages of $from/package-lock.json"
cp "$from/package.json" "$from/package-lock.json" "$to/"
npm --prefix "$to" ci --ignore-scripts --no-audit --no-fund --silent \
    || { say "the packages could not be installed; see above [setup_packages]"; exit 3; }
cp "$to/package-lock.json" "$to/.lock-installed"
say "done"
