package builtins

import "html"

var stdHtml = Package{
	Path: "html",
	Members: []Member{
		{Name: "EscapeString", Value: htmlEscapeString, Why: "its result can be far larger than what it is given"},
		{Name: "UnescapeString", Value: slow(12, html.UnescapeString), Why: "takes far longer than its text is"},
	},
}
