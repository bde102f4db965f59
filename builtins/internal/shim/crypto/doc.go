// Package crypto holds the substitutes of members of crypto/... and hash/...; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package crypto
