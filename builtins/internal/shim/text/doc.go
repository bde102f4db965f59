// Package text holds the substitutes of members of text/tabwriter and text/scanner; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package text
