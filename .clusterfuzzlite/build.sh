#!/bin/bash -eu
# Builds each fuzz target of the module. The list is read from the tree, so that none is forgotten.
# `build.sh list` prints it: package, function and name of the program, a line for each.

targets() {
	grep -rE --include='*_test.go' --exclude-dir=testdata '^func Fuzz[A-Za-z0-9_]*\(f \*testing\.F\)' . |
		sed -E 's|^\./(.*)/[^/]*_test\.go:func (Fuzz[A-Za-z0-9_]*)\(.*|\1 \2|' |
		sort | while read -r dir fn; do
		echo "$dir $fn $(echo "$dir" | tr / _)_$fn"
	done
}

if [ "${1:-}" = list ]; then
	targets
	exit
fi

# The tool that builds a target from a test file has a package of its own to import.
go get github.com/AdamKorcz/go-118-fuzz-build/testing
module=$(go list -m)
targets | while read -r dir fn program; do
	compile_native_go_fuzzer "$module/$dir" "$fn" "$program"
done
