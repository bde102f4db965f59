// Package strconv holds the substitutes of members of strconv; their rows are in package std.
package strconv
