// Package library is Go source of functions of the standard library: of generic ones, for
// scripts that use them with types of their own, and of those that call methods of the
// script more than they do work. The vm compiles it together with the script. It is an
// ordinary package so that it can be vetted and tested; its functions are named Path_Name
// and have the type parameters of the originals, or one for the interface that they take.
//
// It may not contain a function that reaches the host: it is metered like a script.
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

//go:embed heap.go
var heapSource string

//go:embed types.go
var typesSource string

//go:embed other.go
var otherSource string

// Outside declares what the source calls but does not hold; the engine has it.
const Outside = "package library\nfunc sortBy(x any, stable bool, less func(i, j int) bool)\nfunc goexit()\nfunc below(n uint64) uint64\n"

// Generic returns the files with generic functions, each with its package clause.
func Generic() []string {
	return []string{slicesSource, editSource, mapsSource, typesSource, otherSource, Outside}
}

// Callers returns the files with functions that call methods of the script: a package apart, so that a
// program that uses one of them has no more to compile.
func Callers() []string { return []string{heapSource} }

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
