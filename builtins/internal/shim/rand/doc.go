// Package rand holds the substitutes of members of math/rand, math/rand/v2 and hash/maphash; their rows are in package std.
package rand
