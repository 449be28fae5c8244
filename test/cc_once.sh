#!/bin/sh
# The C compiler of the tests: compiles each generated program with each set of options once.
#
#   GNNC_TEST_LIBRARIES=DIR CC=$PWD/test/cc_once.sh ctest ...
#
# The same programs are compiled by several tests, and again by those of the second build. Their libraries are kept in DIR under a
# hash of everything that decides their bytes: compiler, options and text. Only commands as gnn-run makes them are kept,
# "... -o LIBRARY SOURCE.c -lm" without -I; every other command runs as it is. The compiler is $GNNC_TEST_CC, else cc.
set -u
cc=${GNNC_TEST_CC:-cc}
source='' library='' options='' previous=''
is_known=${GNNC_TEST_LIBRARIES:+yes}
for word in "$@"; do
  case $previous in
  -o) library=$word ;;
  *)
    case $word in
    *.c) [ -z "$source" ] && source=$word || is_known= ;;
    -o) ;;
    -I* | @* | -M* | -c | -E) is_known= ;;
    *) options="$options $word" ;;
    esac
    ;;
  esac
  previous=$word
done
if [ -z "$is_known" ] || [ -z "$source" ] || [ -z "$library" ] || [ ! -f "$source" ]; then exec $cc "$@"; fi

key=$({ $cc --version; echo "$options"; cat "$source"; } | sha256sum | cut -c1-40)
kept=$GNNC_TEST_LIBRARIES/$key.so
if [ -f "$kept" ]; then exec cp "$kept" "$library"; fi
$cc "$@" || exit
mkdir -p "$GNNC_TEST_LIBRARIES" && cp "$library" "$kept.$$" && mv "$kept.$$" "$kept"
exit 0
