// Package context holds the substitutes of members of context; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package context
