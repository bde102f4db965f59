// Package shimtest has runs for tests of shims: they tell what they are asked for, or refuse it.
package shimtest
