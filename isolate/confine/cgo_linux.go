//go:build cgo

package confine

// Linked says whether the program is linked with C, as Go does by default where there is
// a C compiler and the program has package net in it.
const Linked = true

// linkedCalls are rows of the filter that only such a program needs.
var linkedCalls = []call{
	{"rseq", nil, "a thread of the C library that still starts when the filter comes"},
	{"set_robust_list", nil, "a thread of the C library that still starts when the filter comes"},
}
