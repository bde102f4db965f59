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
	Source: mapsSource,
}

var stdSlices = rows.Package{
	Path:   "slices",
	Source: slicesSource,
}

var stdUnique = rows.Package{
	Path:   "unique",
	Source: uniqueSource,
}
