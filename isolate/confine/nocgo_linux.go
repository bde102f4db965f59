//go:build !cgo

package confine

// Linked says whether the program is linked with C.
const Linked = false

// linkedCalls are rows of the filter that only a program linked with C needs.
var linkedCalls []call
