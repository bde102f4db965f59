// Package encoding holds the substitutes of members of encoding/...; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package encoding
