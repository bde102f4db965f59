// Package rand holds the substitutes of members of math/rand, math/rand/v2 and hash/maphash; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package rand
