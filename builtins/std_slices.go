package builtins

var stdSlices = Package{
	Path:   "slices",
	Source: slicesSource,
}
