// Package sort holds the substitutes of members of sort; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package sort
