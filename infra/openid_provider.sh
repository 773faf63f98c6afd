#!/usr/bin/env bash
# See to it that tests of the desk's sign-in find a real OpenID provider in build/provider: npm packages, by their lock.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/system_packages.sh

say() { printf 'provider: %s\n' "$*" >&2; }

from=tests/web/provider
to=build/provider
mkdir -p "$to"
cp "$from/provider.mjs" "$to/"
cmp -s "$from/package-lock.json" "$to/.lock-installed" && [ -d "$to/node_modules" ] && exit 0

# Playwright brings a Node, which runs the provider, and no npm.
command -v npm >/dev/null 2>&1 || install_packages setup_no_npm npm
say "installing the packages of $from/package-lock.json"
cp "$from/package.json" "$from/package-lock.json" "$to/"
npm --prefix "$to" ci --ignore-scripts --no-audit --no-fund --silent \
    || { say "the packages could not be installed; see above [setup_packages]"; exit 3; }
cp "$to/package-lock.json" "$to/.lock-installed"
say "done"
