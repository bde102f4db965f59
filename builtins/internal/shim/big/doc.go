// Package big holds the substitutes of members of math/big; their rows are in package std.
package big
