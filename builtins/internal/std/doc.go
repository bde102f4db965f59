// Package std holds the rows of the standard library: one variable for each package, listed in All. It
// has rows and nothing else; a member that needs code has it in package shim or below it.
//
// It may not contain code that does work: a row names it, a shim does it.
package std
