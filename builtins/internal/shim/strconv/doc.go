// Package strconv holds the substitutes of members of strconv; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package strconv
