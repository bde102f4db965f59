// Package goroutine tells goroutines apart. Its numbers are for comparing alone: nothing may be read through
// them, kept by them, or decided by them but whether two calls come from one goroutine.
//
// It may not tell a script apart from its host: it gives numbers.
package goroutine

// Nobody is the number where it cannot be told. No goroutine has it.
const Nobody = -1
