#!/usr/bin/env bash
# Installs the Debian packages of cmake/debian-packages.txt that are missing. Usage: install-packages.sh [test]
# Without root rights it only says what is missing.
set -euo pipefail
list="$(dirname "$0")/debian-packages.txt"
want="${1:-}"
missing=()
while read -r name kind; do
  [[ -z "$name" || "$name" == \#* ]] && continue
  [[ -n "${kind:-}" && "$kind" != "$want" ]] && continue
  dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
done < "$list"
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "packages: all installed"
  exit 0
fi
echo "packages: installing ${missing[*]}"
if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
  echo "packages: this needs root rights; install these packages and run again: ${missing[*]}" >&2
  exit 1
fi
sudo=(); [[ $EUID -ne 0 ]] && sudo=(sudo)
"${sudo[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
