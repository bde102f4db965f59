package builtins

var stdMaps = Package{
	Path:   "maps",
	Source: mapsSource,
}
