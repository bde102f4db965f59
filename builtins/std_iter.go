package builtins

var stdIter = Package{
	Path:   "iter",
	Source: iterSource,
}
