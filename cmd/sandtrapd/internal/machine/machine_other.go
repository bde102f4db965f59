//go:build !linux

package machine

// Free is Unknown here.
func Free() int64 { return Unknown }

// Load is 0 here: not known.
func Load() float64 { return 0 }
