// Package sort holds the substitutes of members of sort; their rows are in package std.
package sort
