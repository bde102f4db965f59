// Package template holds the substitutes of members of html, html/template, text/template and text/template/parse; their rows are in package std.
package template
