#!/bin/sh
# Installs into a fresh prefix, then builds and runs the user's projects from there: with CMake, and with pkg-config and cc.
# gnnc_add_model refuses a target that does not exist.
set -eu
build=$1 user=$2 examples=$3 work=$4 cc=$5

rm -rf "$work"
mkdir -p "$work/data"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
prefix=$work/prefix
for page in man/man1/gnnc.1 man/man1/gnn-opt.1 man/man1/gnn-run.1 man/man1/gnn-data.1 man/man1/gnn-as.1 man/man1/gnn-objdump.1 man/man1/gnn-spmm.1 man/man1/gnn-train.1 \
  doc/gnnc/architecture.md doc/gnnc/decisions.md doc/gnnc/devices/graphagile.md doc/gnnc/ops.md doc/gnnc/isa_graphagile.md doc/gnnc/isa_host.md; do
  [ -s "$prefix/share/$page" ] || { echo "embed: $page is not installed"; exit 1; }
done
for text in karate karate_gcn; do
  "$prefix/bin/gnn-data" convert "$examples/karate/$text.txt" -o "$work/data/$text.safetensors"
done

# The project in C, with CMake: find_package and gnnc_add_model.
cmake -S "$user" -B "$work/user" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release \
  -DEXAMPLES="$examples" -DDATA="$work/data" >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/user" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/user/app" "$work/data/karate.safetensors" "$work/data/karate_gcn.safetensors"
"$work/user/train"
"$prefix/bin/gnn-run" "$work/user/gnnc/gcn_image/gcn_image.bin" --graph "$work/data/karate.safetensors"

# The project in C++ alone, whose model imports a file and which installs a package. It is built again when the imported file
# changes.
cp -r "$(dirname "$user")/packaged" "$work/packaged"
project=$work/packaged build_here=$work/packaged/build
cmake -S "$project" -B "$build_here" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DDATA="$work/data" \
  -DCMAKE_INSTALL_PREFIX="$work/package" >"$work/packaged.log" || { cat "$work/packaged.log"; exit 1; }
build_packaged() {
  cmake --build "$build_here" >"$work/packaged.log" || { cat "$work/packaged.log"; exit 1; }
}
expect() {
  [ "$2" = "$3" ] || { echo "embed: $1: $2, expected $3"; exit 1; }
}
build_packaged
expect "2 times the feature 1" "$("$build_here/app")" 2
"$prefix/bin/gnn-run" "$build_here/gnnc/twice_whole/twice_whole.bin" --graph "$work/data/karate.safetensors" >"$work/whole.log" || {
  cat "$work/whole.log"
  exit 1
}
grep -q '^model: twice' "$work/whole.log" || { cat "$work/whole.log"; exit 1; }
sleep 1
sed -i 's/2 \*/3 */' "$project/part.gnn"
touch "$project/device.json"
build_packaged
expect "3 times it, after an imported file changed" "$("$build_here/app")" 3
expect "the image is newer than its device" "$(find "$build_here" -name twice_image.bin -newer "$project/device.json" | wc -l)" 1
build_packaged
grep -q 'no work to do' "$work/packaged.log" || { echo "embed: built again without a reason"; cat "$work/packaged.log"; exit 1; }
cmake --install "$build_here" >"$work/packaged.log" || { cat "$work/packaged.log"; exit 1; }
for file in include/twice.h lib/libtwice.a lib/cmake/packaged/packaged-config.cmake; do
  [ -s "$work/package/$file" ] || { echo "embed: $file of the package is not installed"; exit 1; }
done

# The compiler does not have this target: the message lists the targets that it has.
mkdir "$work/wrong"
sed 's/TARGET host/TARGET cuda/' "$user/CMakeLists.txt" >"$work/wrong/CMakeLists.txt"
cp "$user/app.c" "$work/wrong"
if cmake -S "$work/wrong" -B "$work/wrong/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  -DEXAMPLES="$examples" -DDATA="$work/data" >"$work/wrong.log" 2>&1; then
  echo "embed: TARGET cuda is taken"
  exit 1
fi
tr -s ' \n' ' ' <"$work/wrong.log" | grep -q 'TARGET cuda is not known; expected c or one of the machines: graphagile, host' || { cat "$work/wrong.log"; exit 1; }

# The project without CMake: the model is one C file, the runtime one static library.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:$prefix/lib/$(uname -m)-linux-gnu/pkgconfig"
gnnc=$(pkg-config --variable=gnnc gnnc)
"$gnnc" --target=c "$examples/gcn.gnn" --graph "$work/data/karate.safetensors" --weights "$work/data/karate_gcn.safetensors" --features=dense -o "$work/gcn.c"
# A program that was built with another version of the ABI does not compile with the model's header.
printf '#define GNNC_ABI_H\n#define GNNC_ABI_VERSION 1\n#include "gcn.h"\n' >"$work/old.c"
if "$cc" -std=c17 -fsyntax-only -I"$work" "$work/old.c" 2>"$work/old.log"; then
  echo "embed: a header of version 1 is taken"
  exit 1
fi
grep -q 'this model speaks version 3 of the gnnc ABI' "$work/old.log" || { cat "$work/old.log"; exit 1; }
"$cc" -std=c17 -O2 -Wall -Wextra -Wpedantic -Werror -pthread -I"$work" "$user/app.c" "$work/gcn.c" \
  $(pkg-config --static --cflags --libs gnnc) -o "$work/app"
"$work/app" "$work/data/karate.safetensors" "$work/data/karate_gcn.safetensors"
echo "embed: both ways agree"
