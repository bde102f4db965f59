//go:build !linux

package machine

const elsewhere = "this is not Linux"

// Lacks: no other kernel has the layers.
func Lacks(string) string { return elsewhere }

// Confinement is that of Linux alone.
func Confinement() string { return elsewhere }
