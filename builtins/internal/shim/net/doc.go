// Package net holds the substitutes of members of net/...; their rows are in package std.
package net
