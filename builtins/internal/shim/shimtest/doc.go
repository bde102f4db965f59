// Package shimtest has runs for tests of shims: they tell what they are asked for, or refuse it.
//
// It may not be imported by code that is no test.
package shimtest
