package builtins

import "text/tabwriter"

var stdTextTabwriter = Package{
	Path: "text/tabwriter",
	scan: true,
	Members: []Member{
		{Name: "Writer", Value: (*TabWriter)(nil), With: "Flush Write", Why: "Go's own keeps its text uncounted, and goes down the Go stack for each column"},
		{Name: "Writer.Init", Value: tabwriterInit},

		{Name: "NewWriter", Value: tabwriterNewWriter},

		{Name: "AlignRight", Value: tabwriter.AlignRight},
		{Name: "Debug", Value: tabwriter.Debug},
		{Name: "DiscardEmptyColumns", Value: tabwriter.DiscardEmptyColumns},
		{Name: "Escape", Value: Literal(`'\xff'`)},
		{Name: "FilterHTML", Value: tabwriter.FilterHTML},
		{Name: "StripEscape", Value: tabwriter.StripEscape},
		{Name: "TabIndent", Value: tabwriter.TabIndent},
	},
}
