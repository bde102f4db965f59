package builtins

var stdCmp = Package{
	Path:   "cmp",
	Source: cmpSource,
}
