// Package library is Go source of generic functions of the standard library, for
// scripts that use them with types of their own: the vm compiles it together with
// the script. It is an ordinary package so that it can be vetted and tested; its
// functions are named Path_Name and have the type parameters of the originals.
package library

import (
	_ "embed"
	"math/rand/v2"
	"runtime"
	"sort"
)

//go:embed slices.go
var slicesSource string

//go:embed edit.go
var editSource string

//go:embed maps.go
var mapsSource string

//go:embed types.go
var typesSource string

//go:embed other.go
var otherSource string

// Outside declares what the source calls but does not hold; the engine has it.
const Outside = "package library\nfunc sortBy(x any, stable bool, less func(i, j int) bool)\nfunc goexit()\nfunc below(n uint64) uint64\n"

// Sources returns the files, each with its package clause.
func Sources() []string {
	return []string{slicesSource, editSource, mapsSource, typesSource, otherSource, Outside}
}

// sortBy is the sorting of Go, so that equal elements come out in the same order.
func sortBy(x any, stable bool, less func(i, j int) bool) {
	if stable {
		sort.SliceStable(x, less)
		return
	}
	sort.Slice(x, less)
}

// goexit ends the calling goroutine.
func goexit() { runtime.Goexit() }

// below is a number of chance that is less than n.
func below(n uint64) uint64 { return rand.Uint64N(n) }
