package builtins

import "path/filepath"

var stdPathFilepath = Package{
	Path:    "path/filepath",
	Bounded: "Base Dir Ext FromSlash HasPrefix IsAbs Localize Split ToSlash VolumeName",
	needy:   true,
	Members: []Member{
		{Name: "WalkFunc", Value: (*filepath.WalkFunc)(nil)},

		{Name: "Abs", Value: filepathAbs, Needs: "files"},
		{Name: "Base", Value: filepath.Base},
		{Name: "Clean", Value: slow(8, filepath.Clean), Why: "takes far longer than its text is"},
		{Name: "Dir", Value: filepath.Dir},
		{Name: "EvalSymlinks", Value: filepathEvalSymlinks, Needs: "files"},
		{Name: "Ext", Value: filepath.Ext},
		{Name: "FromSlash", Value: filepath.FromSlash},
		{Name: "Glob", Value: filepathGlob, Needs: "files"},
		{Name: "HasPrefix", Value: filepath.HasPrefix},
		{Name: "IsAbs", Value: filepath.IsAbs},
		{Name: "IsLocal", Value: slow(8, filepath.IsLocal), Why: "takes far longer than its text is"},
		{Name: "Join", Value: joining(filepath.Join), Why: "its result is as large as what it is given"},
		{Name: "Localize", Value: filepath.Localize},
		{Name: "Match", Value: matching(filepath.Match), Why: "takes far longer than its text is"},
		{Name: "Rel", Value: slowFirstPair(15, filepath.Rel), Why: "takes far longer than its text is"},
		{Name: "Split", Value: filepath.Split},
		{Name: "SplitList", Value: filepathSplitList, Why: "its result can be far larger than what it is given"},
		{Name: "ToSlash", Value: filepath.ToSlash},
		{Name: "VolumeName", Value: filepath.VolumeName},
		{Name: "Walk", Value: filepathWalk, Needs: "files"},
		{Name: "WalkDir", Value: filepathWalkDir, Needs: "files"},

		{Name: "ErrBadPattern", Value: &filepath.ErrBadPattern},
		{Name: "SkipAll", Value: &filepath.SkipAll},
		{Name: "SkipDir", Value: &filepath.SkipDir},

		{Name: "ListSeparator", Value: Literal("':'")},
		{Name: "Separator", Value: Literal("'/'")},
	},
}
