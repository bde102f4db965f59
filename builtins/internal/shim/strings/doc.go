// Package strings holds the substitutes of members of strings, bytes and unicode; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package strings
