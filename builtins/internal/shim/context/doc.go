// Package context holds the substitutes of members of context; their rows are in package std.
package context
