#!/bin/sh
# Promise: the library still makes, bit by bit, every known answer in this folder.
# usage: generated.sh VLDAA-VECTORS FOLDER
set -eu
command=$1
folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$command" "$work"

status=0
for file in "$work"/* "$folder"/*.json "$folder"/*.bin; do
	name=$(basename "$file")
	if ! cmp "$folder/$name" "$work/$name"; then
		diff "$folder/$name" "$work/$name" | cut -c 1-100 | head -n 20 >&2 || true
		echo "$name: a known answer has changed" >&2
		status=1
	fi
done
exit $status
