package builtins

import "testing/fstest"

var stdTestingFstest = Package{
	Path:    "testing/fstest",
	Bounded: "mapDir.Close mapDir.Read mapDir.ReadDir mapDir.Stat openMapFile.Close openMapFile.Read openMapFile.ReadAt openMapFile.Seek openMapFile.Stat",
	scan:    true,
	Members: []Member{
		{Name: "MapFS", Value: (*MapFS)(nil), With: "Lstat Open ReadDir ReadFile ReadLink Stat Sub", Why: "links may lead to each other"},
		{Name: "MapFS.Glob", Value: mapGlob, Why: "takes the length of the pattern times that of the names"},
		{Name: "MapFile", Value: (*fstest.MapFile)(nil), With: "Data ModTime Mode"},

		{Name: "mapDir", Value: behind(opened(fstest.MapFS{}, ".")), With: "Close Read ReadDir Stat", Why: "a directory that MapFS.Open returns, for assertions"},
		{Name: "openMapFile", Value: behind(opened(fstest.MapFS{"a": {}}, "a")), With: "Close Read ReadAt Seek Stat", Why: "a file that MapFS.Open returns, for assertions"},

		{Name: "TestFS", Value: fstestTestFS, Why: "looks at each file many times"},
	},
	Denied: []Denial{
		{Names: "MapFile.Sys", Why: "what a system knows of a file is not for scripts"},
	},
}
