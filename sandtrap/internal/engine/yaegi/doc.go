// Package yaegi runs programs through the interpreter of
// github.com/traefik/yaegi.
//
// That interpreter runs much of Go right, some of it wrong, and can be brought to
// crash its host. So a program goes through three hands before it: the quirks
// (quirks.go), a table of what is refused; the adaptation (adapt*.go), which
// writes what the interpreter gets wrong in a way that it gets right, on a copy
// of the program's syntax; and the gates, which count ticks inline, look at clock,
// depth and heap when a grant of ticks runs out, and unwind the interpreter with a
// panic when the run has to stop. A program has one task here: there are no
// goroutines, and a channel operation that would block is a deadlock at once.
//
// Not exact on this engine: the depth is looked at with each grant, so a short
// excess may pass; bytes are charged for large allocations one by one, and
// otherwise watched through the heap of the process.
//
// It may not run a program that the interpreter would run wrongly: it refuses it.
package yaegi
