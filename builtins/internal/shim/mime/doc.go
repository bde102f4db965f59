// Package mime holds the substitutes of members of mime; their rows are in package std.
package mime
