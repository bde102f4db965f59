package builtins

import "html"

var stdHtml = Package{
	Path: "html",
	Members: []Member{
		{Name: "EscapeString", Value: html.EscapeString},
		{Name: "UnescapeString", Value: html.UnescapeString},
	},
}
