// Package crypto holds the substitutes of members of crypto/... and hash/...; their rows are in package std.
package crypto
