// Package template holds the substitutes of members of html, html/template, text/template and text/template/parse; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package template
