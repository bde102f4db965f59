// Package text holds the substitutes of members of text/tabwriter and text/scanner; their rows are in package std.
package text
