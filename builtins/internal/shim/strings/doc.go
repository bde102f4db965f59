// Package strings holds the substitutes of members of strings, bytes and unicode; their rows are in package std.
package strings
