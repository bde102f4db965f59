// Package regexp holds the substitutes of members of regexp, regexp/syntax and index/suffixarray; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package regexp
