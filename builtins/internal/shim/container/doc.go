// Package container holds the substitutes of members of container/...; their rows are in package std.
package container
