// Package compress holds the substitutes of members of compress/... and archive/...; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package compress
