// Package flag holds the substitutes of members of flag; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package flag
