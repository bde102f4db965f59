package builtins

import "path"

var stdPath = Package{
	Path: "path",
	Members: []Member{
		{Name: "Base", Value: path.Base},
		{Name: "Clean", Value: path.Clean},
		{Name: "Dir", Value: path.Dir},
		{Name: "Ext", Value: path.Ext},
		{Name: "IsAbs", Value: path.IsAbs},
		{Name: "Join", Value: path.Join},
		{Name: "Match", Value: path.Match},
		{Name: "Split", Value: path.Split},

		{Name: "ErrBadPattern", Value: &path.ErrBadPattern},
	},
}
