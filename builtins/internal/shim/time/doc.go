// Package time holds the substitutes of members of time; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package time
