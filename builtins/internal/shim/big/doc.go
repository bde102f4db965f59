// Package big holds the substitutes of members of math/big; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package big
