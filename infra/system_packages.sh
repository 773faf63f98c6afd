# Sourced by scripts that need the system's packages; they have `say`.

# install_packages CODE "NAME ...": install them, or say why not and end with 3 and the code.
install_packages() {
    local code=$1 packages=$2 as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
        say "missing and not to be installed here: $packages; install these packages [$code]"
        exit 3
    fi
    say "installing the system's packages (once, about a minute): $packages"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # several names
    $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $packages >/dev/null \
        || { say "could not be installed: $packages; see above [$code]"; exit 3; }
}
