#!/bin/bash
# Runs the test programs of a client, unmodified, against the folders that the build makes.
#
#   tests/clients/run.sh CLIENT SOURCES [BUILD]
#
# CLIENT is cmdstanpy, bridgestan, cmdstanr or brms. SOURCES is a folder with the source trees cmdstanpy, stanio,
# bridgestan, cmdstanr (what CLIENT needs of them), BUILD the build folder (build). docs/clients.md has the releases, the
# packages to install and the last result. Exit status 77 where something is not there: nothing was tested.
set -eu

client=$1
sources=$(realpath "${2:-/nowhere}" 2>/dev/null || true)
build=$(realpath "${3:-build}")
here=$(dirname "$(realpath "$0")")
python=${PYTHON:-/usr/bin/python3}

skip() {
  echo "skipped: $1"
  exit 77
}
need() { [ -e "$sources/$1" ] || skip "there is no source tree '$1' in '${sources:-SOURCES}'"; }

[ -x "$build/lib/fermiac/model_program" ] || skip "'$build' has no program to carry models"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A copy, because clients make programs in it, delete tools and write make/local.
mkdir "$work/lib" "$work/home"
cp -a "$build/bin" "$build/cmdstan" "$work"
cp -a "$build/lib/fermiac" "$work/lib"
export CMDSTAN=$work/cmdstan BRIDGESTAN=$work/cmdstan HOME=$work/home CMDSTANR_NO_VER_CHECK=TRUE NOT_CRAN=true
mkdir "$HOME/.cmdstan"
ln -s "$CMDSTAN" "$HOME/.cmdstan/cmdstan-2.39.0"

# Clients test what happens where a folder cannot be written, which root always can.
run() {
  if [ "$(id -u)" != 0 ]; then "$@"; else chown -R 65534 "$work" && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
}
# The tests that are left out: `NAME  # why`.
excluded() { sed -n 's/ *#.*//; /./p' "$here/$1.exclude"; }

case $client in
  cmdstanpy)
    need cmdstanpy/test && need stanio/stanio
    "$python" -c 'import numpy, pandas, pytest, tqdm, xarray' 2>/dev/null || skip "numpy, pandas, pytest, tqdm or xarray is missing"
    cp -a "$sources/cmdstanpy" "$sources/stanio" "$work"
    find "$work/cmdstanpy/test/data" -type f -perm -u+x ! -name '*.*' -delete  # programs of earlier runs
    cd "$work/cmdstanpy"
    export PYTHONPATH=$work/cmdstanpy:$work/stanio
    mapfile -t out < <(excluded cmdstanpy | sed 's/^/--deselect=test\//')
    run "$python" -m pytest test -q -p no:cacheprovider "${out[@]}"
    ;;
  bridgestan)
    need bridgestan/python && need stanio/stanio
    "$python" -c 'import numpy, pytest' 2>/dev/null || skip "numpy or pytest is missing"
    cp -a "$sources/bridgestan" "$sources/stanio" "$work"
    cd "$work/bridgestan"
    for model in test_models/*/; do
      name=$(basename "$model")
      make -s -C "$BRIDGESTAN" "$PWD/$model${name}_model.so" >"$work/make.log" 2>&1 || echo "no library of $name"
    done
    export PYTHONPATH=$work/bridgestan/python:$work/stanio:$here
    mapfile -t out < <(excluded bridgestan | sed 's/^/--deselect=python\/test\//')
    run "$python" -m pytest python/test -q -p no:cacheprovider "${out[@]}"
    ;;
  cmdstanr)
    need cmdstanr/tests
    Rscript -e 'library(cmdstanr); library(testthat)' >/dev/null 2>&1 || skip "R, cmdstanr or testthat is missing (R_LIBS)"
    cp -a "$sources/cmdstanr" "$work"
    cd "$work/cmdstanr/tests/testthat"
    if fermiac_devices=$("$work/bin/fermiac" devices 2>/dev/null) && [[ $fermiac_devices == opencl:0:0* ]]; then export CMDSTANR_OPENCL_TESTS=1; fi
    run Rscript "$here/cmdstanr.R" "$here/cmdstanr.exclude"
    ;;
  brms)
    Rscript -e 'library(cmdstanr); library(brms)' >/dev/null 2>&1 || skip "R, cmdstanr or brms is missing (R_LIBS)"
    cd "$work"
    run Rscript "$here/brms.R"
    ;;
  *)
    echo "unknown client '$client'"
    exit 2
    ;;
esac
