package builtins

import "testing/fstest"

var stdTestingFstest = Package{
	Path: "testing/fstest",
	Members: []Member{
		{Name: "MapFS", Value: (*fstest.MapFS)(nil), With: "Glob Lstat Open ReadDir ReadFile ReadLink Stat Sub"},
		{Name: "MapFile", Value: (*fstest.MapFile)(nil), With: "Data ModTime"},

		{Name: "TestFS", Value: fstestTestFS, Why: "looks at each file many times"},
	},
	Denied: []Denial{
		{Names: "MapFile.Mode", Why: "a link in a MapFS that leads to itself has no end"},
		{Names: "MapFile.Sys", Why: "what a system knows of a file is not for scripts"},
	},
}
