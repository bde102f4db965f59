// Package time holds the substitutes of members of time; their rows are in package std.
package time
