// Package ops has the operations that leave the loop and need nothing but the machine: slices, maps, texts, interfaces,
// channels, deferred calls, sorting.
//
// It may not call the host.
package ops
