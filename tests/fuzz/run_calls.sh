#!/usr/bin/env bash
# Random calls of all built-in functions with everything instrumented, kernels included (preset `calls`): run_calls.sh [calls [seed]].
# Takes half an hour to build on two cores and about as long for a million calls.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset calls >/dev/null
cmake --build --preset calls -j "${FERMIAC_JOBS:-$(nproc)}" --target fuzz_tests
ulimit -s 262144 2>/dev/null || true  # instrumented frames are large
FERMIAC_FUZZ_CALLS="${1:-1000000}" FERMIAC_FUZZ_SEED="${2:-1}" exec build-calls/tests/fuzz_tests --gtest_filter='BuiltinCallsFuzz.*AllWaysAgree'
