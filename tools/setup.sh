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

# Makes apt know the LLVM 22 packages where the release does not offer them as it
# is: from Debian's security suite (LLVM 22 of Debian 12 lies there), else from
# the repository that the LLVM project runs.
find_llvm_packages() {
  has_llvm_packages && return
  local ID='' VERSION_CODENAME='' PRETTY_NAME='this system'
  # shellcheck source=/dev/null
  . /etc/os-release
  if [[ $ID == debian ]]; then
    say "LLVM 22 is not in the configured suites; adding $VERSION_CODENAME-security"
    add_apt_source debian-security \
      "deb http://security.debian.org/debian-security $VERSION_CODENAME-security main"
    has_llvm_packages && return
  fi
  say "$PRETTY_NAME has no LLVM 22; adding the LLVM project's apt.llvm.org"
  apt_get install -y --no-install-recommends ca-certificates curl
  as_root mkdir -p /etc/apt/keyrings
  as_root curl -fsSL -o /etc/apt/keyrings/apt.llvm.org.asc \
    https://apt.llvm.org/llvm-snapshot.gpg.key ||
    die "expected LLVM's signing key from apt.llvm.org, got no answer." \
      "Install LLVM and MLIR 22.1 as README.md says, then try again."
  add_apt_source llvm "deb [signed-by=/etc/apt/keyrings/apt.llvm.org.asc]\
 https://apt.llvm.org/$VERSION_CODENAME/ llvm-toolchain-$VERSION_CODENAME-22 main"
  has_llvm_packages ||
    die "expected libmlir-22-dev from apt.llvm.org for $VERSION_CODENAME, got none"
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
