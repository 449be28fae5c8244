#!/bin/sh
# Installs into a fresh prefix, then builds and runs the user's project from there: once with CMake, once with pkg-config and cc.
set -eu
build=$1 user=$2 examples=$3 work=$4 cc=$5

rm -rf "$work"
mkdir -p "$work/data"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
prefix=$work/prefix
for page in gnnc.1 gnn-opt.1 gnn-run.1 gnn-data.1; do
  [ -s "$prefix/share/man/man1/$page" ] || { echo "embed: $page is not installed"; exit 1; }
done
for text in karate karate_gcn; do
  "$prefix/bin/gnn-data" convert "$examples/karate/$text.txt" -o "$work/data/$text.safetensors"
done

# CMake: find_package + gnnc_add_model.
cmake -S "$user" -B "$work/user" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release \
  -DEXAMPLES="$examples" -DDATA="$work/data" >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/user" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/user/app" "$work/data/karate.safetensors" "$work/data/karate_gcn.safetensors"

# pkg-config and the C compiler alone: the model is one C file, the runtime one static library.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:$prefix/lib/$(uname -m)-linux-gnu/pkgconfig"
gnnc=$(pkg-config --variable=gnnc gnnc)
"$gnnc" --target=c "$examples/gcn.gnn" --graph "$work/data/karate.safetensors" --weights "$work/data/karate_gcn.safetensors" --features=dense -o "$work/gcn.c"
"$cc" -std=c17 -O2 -Wall -Wextra -Wpedantic -Werror -pthread -I"$work" "$user/app.c" "$work/gcn.c" \
  $(pkg-config --static --cflags --libs gnnc) -o "$work/app"
"$work/app" "$work/data/karate.safetensors" "$work/data/karate_gcn.safetensors"
echo "embed: both ways agree"
