package std

import (
	"path"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

var stdPath = rows.Package{
	Path:    "path",
	Bounded: "Base Dir Ext IsAbs Split",
	Members: []rows.Member{
		{Name: "Base", Value: path.Base},
		{Name: "Clean", Value: shim.Slow(8, path.Clean), Why: "takes far longer than its text is"},
		{Name: "Dir", Value: path.Dir},
		{Name: "Ext", Value: path.Ext},
		{Name: "IsAbs", Value: path.IsAbs},
		{Name: "Join", Value: shimos.Joining(path.Join), Why: "takes far longer than its text is"},
		{Name: "Match", Value: shimos.Matching(path.Match), Why: "takes far longer than its text is"},
		{Name: "Split", Value: path.Split},

		{Name: "ErrBadPattern", Value: &path.ErrBadPattern},
	},
}

var stdPathFilepath = rows.Package{
	Path:     "path/filepath",
	Bounded:  "Base Dir Ext FromSlash HasPrefix IsAbs Localize Split ToSlash VolumeName",
	NeedsRun: true,
	Members: []rows.Member{
		{Name: "WalkFunc", Value: (*filepath.WalkFunc)(nil)},

		{Name: "Abs", Value: shimos.FilepathAbs, Needs: "files"},
		{Name: "Base", Value: filepath.Base},
		{Name: "Clean", Value: shim.Slow(8, filepath.Clean), Why: "takes far longer than its text is"},
		{Name: "Dir", Value: filepath.Dir},
		{Name: "EvalSymlinks", Value: shimos.FilepathEvalSymlinks, Needs: "files"},
		{Name: "Ext", Value: filepath.Ext},
		{Name: "FromSlash", Value: filepath.FromSlash},
		{Name: "Glob", Value: shimos.FilepathGlob, Needs: "files"},
		{Name: "HasPrefix", Value: filepath.HasPrefix},
		{Name: "IsAbs", Value: filepath.IsAbs},
		{Name: "IsLocal", Value: shim.Slow(8, filepath.IsLocal), Why: "takes far longer than its text is"},
		{Name: "Join", Value: shimos.Joining(filepath.Join), Why: "its result is as large as what it is given"},
		{Name: "Localize", Value: filepath.Localize},
		{Name: "Match", Value: shimos.Matching(filepath.Match), Why: "takes far longer than its text is"},
		{Name: "Rel", Value: shim.SlowFirstPair(15, filepath.Rel), Why: "takes far longer than its text is"},
		{Name: "Split", Value: filepath.Split},
		{Name: "SplitList", Value: shimos.FilepathSplitList, Why: "its result can be far larger than what it is given"},
		{Name: "ToSlash", Value: filepath.ToSlash},
		{Name: "VolumeName", Value: filepath.VolumeName},
		{Name: "Walk", Value: shimos.FilepathWalk, Needs: "files"},
		{Name: "WalkDir", Value: shimos.FilepathWalkDir, Needs: "files"},

		{Name: "ErrBadPattern", Value: &filepath.ErrBadPattern},
		{Name: "SkipAll", Value: &filepath.SkipAll},
		{Name: "SkipDir", Value: &filepath.SkipDir},

		{Name: "ListSeparator", Value: rows.Literal("':'")},
		{Name: "Separator", Value: rows.Literal("'/'")},
	},
}
