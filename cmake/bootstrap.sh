#!/bin/sh
# Sets up a bare Debian 12, and builds, demonstrates or tests the project.
#
#   sh cmake/bootstrap.sh demo        install what is missing, build, run a trained GCN on the karate club
#   sh cmake/bootstrap.sh test        install what is missing, build, pass the tests (gcc release, then clang with sanitizers and fuzzers)
#   sh cmake/bootstrap.sh test-full   the same and the slow tests, none skipped: 2,000 random models, clang release, clang-tidy, long fuzzing, cross compilers
#   sh cmake/bootstrap.sh build       install what is missing and build
#   sh cmake/bootstrap.sh packages    print the packages, install nothing
set -eu
cd "$(dirname "$0")/.."

build_packages="gcc libc6-dev libstdc++-12-dev binutils cmake ninja-build pkg-config flex bison
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools libzstd1 zlib1g-dev libjansson-dev libxxhash-dev libelf-dev
  libmetis-dev"
test_packages="g++ clang-22 libclang-rt-22-dev clang-format-22 python3 openmpi-bin libopenmpi-dev"
full_packages="clang-tidy-22 libtbb-dev gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross"

fail() {
  echo "bootstrap: $*" >&2
  exit 1
}

missing_packages() {
  for package in "$@"; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$state" = "install ok installed" ] || echo "$package"
  done
}

# Installs the packages that are missing; needs root or sudo only when there are any.
need() {
  command -v dpkg-query >/dev/null 2>&1 || fail "this script installs Debian packages, and dpkg is not here; install by hand: $*"
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  echo "bootstrap: installing" $missing
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail "not root and no sudo; as root: apt-get install" $missing
    as_root=sudo
  fi
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null
  if ! apt-cache show llvm-22-dev >/dev/null 2>&1; then
    fail "apt knows no llvm-22-dev: LLVM 22 comes from bookworm-security; add
  deb http://deb.debian.org/debian-security bookworm-security main
to /etc/apt/sources.list and run this again"
  fi
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >/dev/null
}

# build DIR CMAKE-ARGUMENT...: configures when needed, then builds.
build() {
  dir=$1
  shift
  cmake -S . -B "$dir" -G Ninja "$@" >"$dir.configure.tmp" 2>&1 || { cat "$dir.configure.tmp" >&2; rm -f "$dir.configure.tmp"; exit 1; }
  rm -f "$dir.configure.tmp"
  cmake --build "$dir" -- --quiet || cmake --build "$dir"
}

demo() {
  bin=build/bin
  out=build/demo
  mkdir -p "$out"
  $bin/gnn-data convert examples/karate/karate.txt -o "$out/karate.safetensors"
  $bin/gnn-data convert examples/karate/karate_gcn.txt -o "$out/karate_gcn.safetensors"
  $bin/gnnc --target=c examples/gcn.gnn --graph "$out/karate.safetensors" --weights "$out/karate_gcn.safetensors" -o "$out/gcn.c"
  $bin/gnn-run "$out/gcn.c" --graph "$out/karate.safetensors" --weights "$out/karate_gcn.safetensors" -o "$out/logits.safetensors" --predictions
}

# run_tests DIR CTEST-ARGUMENT...: fails when ctest fails, and adds ctest's counts to those of the closing line.
passed=0
failed=0
run_tests() {
  case $PWD in
  *[[:blank:]]*) compiler=${CC:-cc} ;; # $CC has words
  *) compiler=$PWD/test/cc_once.sh ;;
  esac
  dir=$1
  shift
  log=$dir/tests.log
  status=0
  GNNC_TEST_CC=${CC:-cc} CC=$compiler ctest --test-dir "$dir" --output-on-failure --no-tests=error -j 2 "$@" >"$log" 2>&1 || status=$?
  cat "$log"
  total=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
  bad=$(sed -n 's/.* \([0-9]*\) tests failed out of.*/\1/p' "$log")
  [ -n "$total" ] || { total=1; bad=1; }
  passed=$((passed + total - bad))
  failed=$((failed + bad))
  [ "$status" = 0 ] || [ "$bad" != 0 ] || failed=$((failed + 1))
}

finish() {
  grep -h "skipped" build*/tests.log 2>/dev/null | sort -u | head -20 || true
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

test_everyday() {
  export GNNC_TEST_LIBRARIES="$PWD/build/test-libraries" # both builds compile the same programs: see test/cc_once.sh
  rm -rf "$GNNC_TEST_LIBRARIES"
  build build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc -DGNNC_WERROR=ON
  run_tests build -LE slow
  build build-dev -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang-22 -DGNNC_WERROR=ON \
    -DGNNC_SANITIZE=address,undefined -DGNNC_FUZZ=ON
  run_tests build-dev -LE "slow|embed|style|release"
}

case "${1:-}" in
demo)
  need $build_packages
  build build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc
  demo
  ;;
build)
  need $build_packages
  build build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc
  ;;
test)
  need $build_packages $test_packages
  test_everyday
  finish
  ;;
test-full)
  need $build_packages $test_packages $full_packages
  test_everyday
  export GNNC_NO_SKIPS=1 # the compilers of other machines are installed
  rm -rf "$GNNC_TEST_LIBRARIES"
  unset GNNC_TEST_LIBRARIES
  run_tests build -L slow
  run_tests build-dev -L release # what the everyday tests run in the first build alone
  build build-clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-22 -DGNNC_WERROR=ON
  run_tests build-clang -LE slow
  finish
  ;;
packages)
  echo $build_packages
  echo $test_packages
  echo $full_packages
  ;;
*)
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
