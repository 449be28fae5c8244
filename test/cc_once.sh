#!/bin/sh
# The C compiler of the tests: compiles each generated program with each set of options once.
#
#   GNNC_TEST_LIBRARIES=DIR CC=$PWD/test/cc_once.sh ctest ...
#
# The same programs are compiled by several tests, and again by those of the second build. Their libraries are kept in DIR under a hash of the
# compiler, the options, and the program behind the preprocessor. Only commands as gnn-run makes them are kept: options that begin
# with -std, -f, -O, -m, -D, -shared or -l, "-o LIBRARY" and one SOURCE.c; every other command runs as it is. What fails is not kept, and neither is what
# the compiler warns of. The compiler is $GNNC_TEST_CC, else cc.
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
    -std=* | -f* | -O* | -m* | -D* | -shared | -l*) options="$options $word" ;;
    *) is_known= ;;
    esac
    ;;
  esac
  previous=$word
done
if [ -z "$is_known" ] || [ -z "$source" ] || [ -z "$library" ] || [ ! -f "$source" ]; then exec $cc "$@"; fi

text=$library.i messages=$library.messages
# without the lines that name files: the same program lies in another folder each time
if ! $cc $options -E -P "$source" -o "$text" 2>"$messages"; then rm -f "$text" "$messages"; exec $cc "$@"; fi
key=$({ $cc --version; echo "$options"; cat "$text"; } | sha256sum | cut -c1-40)
rm -f "$text" "$messages"
[ ${#key} = 40 ] || exec $cc "$@"
kept=$GNNC_TEST_LIBRARIES/$key.so
if [ -f "$kept" ]; then exec cp "$kept" "$library"; fi
$cc "$@" 2>"$messages" || { result=$?; cat "$messages" >&2; rm -f "$messages"; exit $result; }
if [ -s "$messages" ]; then
  cat "$messages" >&2
else
  mkdir -p "$GNNC_TEST_LIBRARIES" && cp "$library" "$kept.$$" && mv "$kept.$$" "$kept"
fi
rm -f "$messages"
exit 0
