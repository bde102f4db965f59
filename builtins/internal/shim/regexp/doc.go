// Package regexp holds the substitutes of members of regexp, regexp/syntax and index/suffixarray; their rows are in package std.
package regexp
