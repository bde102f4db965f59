// Package errors holds the substitutes of members of errors; their rows are in package std.
package errors
