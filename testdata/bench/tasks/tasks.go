// Package tasks holds the work that is measured, in Go for compiled Go, sandtrap and
// yaegi, and beside it the same for each rival.
package tasks

import "embed"

// Files are the sources: NAME.go, NAME.js and so on.
//
//go:embed *.go *.js *.lua *.tengo *.py *.star
var Files embed.FS

// A Task is one row of the table.
type Task struct {
	Name, Title string
	Go          func() int // compiled
	Units       float64    // of work, and what one is
	Unit        string
}

// All are the tasks in the order of the table.
var All = []Task{
	{"fib", "fib(25)", Fib, 242785, "call"},
	{"sum", "sum loop, 1e6", Sum, 1e6, "iteration"},
	{"sieve", "sieve of 200,000", Sieve, 200e3, "number"},
	{"words", "word count in a map, 1e5", Words, 1e5, "word"},
	{"build", "string building, 2e5 pieces", Build, 2e5, "piece"},
	{"hostcall", "host call, 1e5", Hostcall, 1e5, "call"},
	{"sorting", "sort 1e5 with a callback", Sorting, 1e5, "element"},
	{"nbody", "n-body, 2,000 steps", Nbody, 20e3, "pair"},
	{"calls", "method and closure call, 1e5 each", Calls, 2e5, "call"},
	{"pingpong", "channel ping-pong, 2e4", Pingpong, 2e4, "round"},
	{"structs", "slice of structs, 1e5 updates", Structs, 1e5, "update"},
	{"matrix", "matrix product, 100×100", Matrix, 1e6, "step"},
}
