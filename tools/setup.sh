# shellcheck shell=bash
# Sourced by tools/quickstart and tools/check: install what is missing, build.
# Expects the root of the tree as the current directory.

export LC_ALL=C.UTF-8

# Everything that configuring, building and testing the release preset needs.
rudnn_packages=(
  clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  cmake ninja-build python3 zlib1g-dev libzstd-dev
)

say() { printf '\n== [%4d s] %s\n' "$SECONDS" "$*"; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Shows a command, then runs it.
run() {
  printf '+ %s\n' "$*"
  "$@"
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    run "$@"
  else
    command -v sudo >/dev/null ||
      die "expected root or sudo, to run: $*"
    run sudo "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}

has_llvm_packages() {
  [[ $(apt-cache policy libmlir-22-dev) == *'Candidate: '[0-9]* ]]
}

# add_apt_source NAME LINE
add_apt_source() {
  printf '%s\n' "$2" | as_root tee "/etc/apt/sources.list.d/rudnn-$1.list"
  apt_get update
}

# The address of Debian's packages that apt is set up with.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
    grep -m1 -E '/debian/?$'
}

# Makes apt know the LLVM 22 packages where the configured suites lack them:
# those of Debian 12 lie in its security suite, which a minimal installation
# leaves out.
find_llvm_packages() {
  has_llvm_packages && return
  local ID='' VERSION_CODENAME='' PRETTY_NAME='this system' mirror
  # shellcheck source=/dev/null
  . /etc/os-release
  if [[ $ID == debian ]] && mirror=$(debian_mirror); then
    say "LLVM 22 is not in the configured suites; adding $VERSION_CODENAME-security"
    add_apt_source debian-security \
      "deb ${mirror%/}-security $VERSION_CODENAME-security main"
    has_llvm_packages && return
  fi
  die "expected packages of LLVM and MLIR 22 (libmlir-22-dev and others) for" \
    "$PRETTY_NAME, got none. Add the LLVM project's own package repository for" \
    "this release, as its download page says, then run this again."
}

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# install_packages [MORE...]: rudnn_packages and these, where they are missing.
install_packages() {
  local package missing=()
  command -v apt-get >/dev/null ||
    die "expected a Debian or Ubuntu with apt-get; for others see README.md"
  for package in "${rudnn_packages[@]}" "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [[ ${#missing[@]} == 0 ]]; then
    say "every package is installed"
    return
  fi
  say "installing ${missing[*]}"
  apt_get update
  find_llvm_packages
  apt_get install -y --no-install-recommends "${missing[@]}"
}

build_release() {
  say "building the release preset in build/release"
  run cmake --preset release --log-level=NOTICE
  run cmake --build --preset release
}
