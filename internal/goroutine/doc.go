// Package goroutine tells goroutines apart. Its numbers are for comparing alone: nothing may be read through
// them, kept by them, or decided by them but whether two calls come from one goroutine.
package goroutine

// Nobody is the number where it cannot be told. No goroutine has it.
const Nobody = -1
