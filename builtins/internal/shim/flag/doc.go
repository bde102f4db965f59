// Package flag holds the substitutes of members of flag; their rows are in package std.
package flag
