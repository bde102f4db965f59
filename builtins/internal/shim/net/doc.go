// Package net holds the substitutes of members of net/...; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package net
