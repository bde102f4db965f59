// Package mime holds the substitutes of members of mime; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package mime
