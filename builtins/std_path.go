package builtins

import "path"

var stdPath = Package{
	Path:    "path",
	Bounded: "Base Dir Ext IsAbs Split",
	Members: []Member{
		{Name: "Base", Value: path.Base},
		{Name: "Clean", Value: slow(8, path.Clean), Why: "takes far longer than its text is"},
		{Name: "Dir", Value: path.Dir},
		{Name: "Ext", Value: path.Ext},
		{Name: "IsAbs", Value: path.IsAbs},
		{Name: "Join", Value: joining(path.Join), Why: "takes far longer than its text is"},
		{Name: "Match", Value: matching(path.Match), Why: "takes far longer than its text is"},
		{Name: "Split", Value: path.Split},

		{Name: "ErrBadPattern", Value: &path.ErrBadPattern},
	},
}
