// Package fmt holds the substitutes of members of fmt; their rows are in package std.
package fmt
