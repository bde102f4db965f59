// Package encoding holds the substitutes of members of encoding/...; their rows are in package std.
package encoding
