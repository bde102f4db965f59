package rig

import (
	"iter"
	"maps"
	"slices"
	"testing"
)

// Some gives the rows of a table in the order of their names; with -short it is each n-th of them.
func Some[Row any](table map[string]Row, n int) iter.Seq2[string, Row] {
	return func(yield func(string, Row) bool) {
		for i, name := range slices.Sorted(maps.Keys(table)) {
			if testing.Short() && i%n != 0 {
				continue
			}
			if !yield(name, table[name]) {
				return
			}
		}
	}
}
