// Package errors holds the substitutes of members of errors; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package errors
