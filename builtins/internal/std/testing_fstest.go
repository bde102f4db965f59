package std

import (
	"testing/fstest"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

var stdTestingFstest = rows.Package{
	Path:    "testing/fstest",
	Bounded: "mapDir.Close mapDir.Read mapDir.ReadDir mapDir.Stat openMapFile.Close openMapFile.Read openMapFile.ReadAt openMapFile.Seek openMapFile.Stat",
	Renamed: true,
	Members: []rows.Member{
		{Name: "MapFS", Value: (*shimos.MapFS)(nil), With: "Lstat Open ReadDir ReadFile ReadLink Stat Sub", Why: "links may lead to each other"},
		{Name: "MapFS.Glob", Value: shimos.MapGlob, Why: "takes the length of the pattern times that of the names"},
		{Name: "MapFile", Value: (*fstest.MapFile)(nil), With: "Data ModTime Mode"},

		{Name: "mapDir", Value: rows.Behind(shimos.Opened(fstest.MapFS{}, ".")), With: "Close Read ReadDir Stat", Why: "a directory that MapFS.Open returns, for assertions"},
		{Name: "openMapFile", Value: rows.Behind(shimos.Opened(fstest.MapFS{"a": {}}, "a")), With: "Close Read ReadAt Seek Stat", Why: "a file that MapFS.Open returns, for assertions"},

		{Name: "TestFS", Value: shimos.FstestTestFS, Why: "looks at each file many times"},
	},
	Denied: []rows.Denial{
		{Names: "MapFile.Sys", Why: "what a system knows of a file is not for scripts"},
	},
}
