// Package container holds the substitutes of members of container/...; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package container
