#!/usr/bin/env bash
# tests/fuzz/run.sh SECONDS [ENTRY...]: runs the fuzzers of build-fuzz/ one after the other, each for SECONDS. Seeds are the
# golden programs, for the MIR reader what build/bin/stanc makes of them; words come from the tables. What is found and
# the grown corpora stay in build-fuzz/corpus/.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds="${1:?usage: tests/fuzz/run.sh SECONDS [ENTRY...]}"
shift
entries=("$@")
((${#entries[@]})) || entries=(lexer parser checker names formatter mir_reader)

mkdir -p build-fuzz/corpus/seeds/programs build-fuzz/corpus/seeds/mir
for program in tests/golden/programs/*.stan*; do
  name="$(basename "$program")"
  sed '/^\/\/|exit/,$d' "$program" >"build-fuzz/corpus/seeds/programs/$name"
  build/bin/stanc --debug-mir "$program" >"build-fuzz/corpus/seeds/mir/$name" 2>/dev/null || true
done
find build-fuzz/corpus/seeds/mir -empty -delete
grep -oh '"[^"\\]\+"' frontend/lex/tokens.def | sort -u >build-fuzz/corpus/programs.dict
grep -oh '"[A-Za-z_]\+"' mir/text/*.cpp | sort -u >build-fuzz/corpus/mir.dict

ulimit -s 262144 2>/dev/null || true  # instrumented frames are large; nested programs need room
for entry in "${entries[@]}"; do
  kind=programs
  [[ $entry == mir_reader ]] && kind=mir
  mkdir -p "build-fuzz/corpus/$entry"
  echo "== $entry"
  "build-fuzz/bin/fuzz_$entry" -dict="build-fuzz/corpus/$kind.dict" -max_total_time="$seconds" -timeout=20 -print_final_stats=1 \
    -artifact_prefix="build-fuzz/corpus/found-$entry-" "build-fuzz/corpus/$entry" "build-fuzz/corpus/seeds/$kind"
done
