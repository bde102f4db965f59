// Package fmt holds the substitutes of members of fmt; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package fmt
