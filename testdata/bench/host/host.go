// Package host is what the scripts of the benchmarks call in their host.
package host

// Add is the typed function of the task hostcall.
func Add(a, b int) int { return a + b }
