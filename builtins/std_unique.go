package builtins

var stdUnique = Package{
	Path:   "unique",
	Source: uniqueSource,
}
