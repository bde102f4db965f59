// Package compress holds the substitutes of members of compress/... and archive/...; their rows are in package std.
package compress
