// Package search finds functions, types and values of Go packages by words, for clients that cannot read all declarations.
//
// It may not know where the declarations come from, or run anything.
package search
