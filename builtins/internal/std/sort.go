package std

import (
	"sort"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimsort "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sort"
)

var stdSort = rows.Package{
	Path:   "sort",
	Engine: "*=formats Slice=sort-slice SliceStable=sort-slice-stable SliceIsSorted=slice-is-sorted Sort=sort-interface Stable=sort-interface-stable IsSorted=is-interface-sorted Ints=reads Strings=reads Float64s=reads",
	Bounded: "Float64Slice.Len Float64Slice.Less Float64Slice.Search Float64Slice.Swap IntSlice.Len IntSlice.Less IntSlice.Search IntSlice.Swap StringSlice.Len StringSlice.Swap Find " +
		"Float64sAreSorted IntsAreSorted Search SearchFloat64s SearchInts Slice SliceIsSorted SliceStable",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Float64Slice", Value: (*sort.Float64Slice)(nil), With: "Len Less Search Swap"},
		{Name: "Float64Slice.Sort", Value: shimsort.Float64Slice, Why: "a stop is let through in long slices"},
		{Name: "IntSlice", Value: (*sort.IntSlice)(nil), With: "Len Less Search Swap"},
		{Name: "IntSlice.Sort", Value: shimsort.IntSlice, Why: "a stop is let through in long slices"},
		{Name: "Interface", Value: (*sort.Interface)(nil)},
		{Name: "StringSlice", Value: (*sort.StringSlice)(nil), With: "Len Swap"},
		{Name: "StringSlice.Less", Value: shimsort.StringSliceLess, Why: "a stop is let through in long texts"},
		{Name: "StringSlice.Search", Value: shimsort.StringSliceSearch, Why: "a stop is let through in long texts"},
		{Name: "StringSlice.Sort", Value: shimsort.StringSlice, Why: "a stop is let through in long slices"},

		{Name: "Find", Value: sort.Find},
		{Name: "Float64s", Value: shimsort.Float64s, Why: "a stop is let through in long slices"},
		{Name: "Float64sAreSorted", Value: sort.Float64sAreSorted},
		{Name: "Ints", Value: shimsort.Ints, Why: "a stop is let through in long slices"},
		{Name: "IntsAreSorted", Value: sort.IntsAreSorted},
		{Name: "IsSorted", Value: shimsort.IsSorted, Why: "a stop is let through in long slices"},
		{Name: "Reverse", Value: shimsort.Reverse, Why: "a stop is let through in long slices"},
		{Name: "reverse", Value: (*shimsort.Reversed)(nil), With: "Len Less Swap", Why: "what Reverse returns, for its name"},
		{Name: "Search", Value: sort.Search},
		{Name: "SearchFloat64s", Value: sort.SearchFloat64s},
		{Name: "SearchInts", Value: sort.SearchInts},
		{Name: "SearchStrings", Value: shimsort.SearchStrings, Why: "a stop is let through in long texts"},
		{Name: "Slice", Value: sort.Slice},
		{Name: "SliceIsSorted", Value: sort.SliceIsSorted},
		{Name: "SliceStable", Value: sort.SliceStable},
		{Name: "Sort", Value: shimsort.Sort, Why: "a stop is let through in long slices"},
		{Name: "Stable", Value: shimsort.Stable, Why: "a stop is let through in long slices"},
		{Name: "Strings", Value: shimsort.Strings, Why: "a stop is let through in long slices"},
		{Name: "StringsAreSorted", Value: shimsort.StringsAreSorted, Why: "a stop is let through in long slices"},
	},
}
