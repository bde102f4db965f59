package std

import (
	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
)

var stdCmp = rows.Package{
	Path:   "cmp",
	Source: cmpSource,
}

var stdIter = rows.Package{
	Path:   "iter",
	Source: iterSource,
}

var stdMaps = rows.Package{
	Path:   "maps",
	Engine: "*=formats",
	Source: mapsSource,
}

var stdSlices = rows.Package{
	Path: "slices",
	Engine: "*=formats Contains=reads Max=reads Sort=native BinarySearch=native Contains=native Index=native Reverse=native Max=native Min=native IsSorted=native Equal=native " +
		"Compare=native",
	Source: slicesSource,
}

var stdUnique = rows.Package{
	Path:   "unique",
	Source: uniqueSource,
}
