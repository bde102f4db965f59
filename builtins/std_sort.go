package builtins

import "sort"

var stdSort = Package{
	Path: "sort",
	Bounded: "Float64Slice.Len Float64Slice.Less Float64Slice.Search Float64Slice.Swap IntSlice.Len IntSlice.Less IntSlice.Search IntSlice.Swap StringSlice.Len StringSlice.Swap Find " +
		"Float64sAreSorted IntsAreSorted Search SearchFloat64s SearchInts Slice SliceIsSorted SliceStable",
	scan: true,
	Members: []Member{
		{Name: "Float64Slice", Value: (*sort.Float64Slice)(nil), With: "Len Less Search Swap"},
		{Name: "Float64Slice.Sort", Value: sortFloat64Slice, Why: "a stop is let through in long slices"},
		{Name: "IntSlice", Value: (*sort.IntSlice)(nil), With: "Len Less Search Swap"},
		{Name: "IntSlice.Sort", Value: sortIntSlice, Why: "a stop is let through in long slices"},
		{Name: "Interface", Value: (*sort.Interface)(nil)},
		{Name: "StringSlice", Value: (*sort.StringSlice)(nil), With: "Len Swap"},
		{Name: "StringSlice.Less", Value: sortStringSliceLess, Why: "a stop is let through in long texts"},
		{Name: "StringSlice.Search", Value: sortStringSliceSearch, Why: "a stop is let through in long texts"},
		{Name: "StringSlice.Sort", Value: sortStringSlice, Why: "a stop is let through in long slices"},

		{Name: "Find", Value: sort.Find},
		{Name: "Float64s", Value: sortFloat64s, Why: "a stop is let through in long slices"},
		{Name: "Float64sAreSorted", Value: sort.Float64sAreSorted},
		{Name: "Ints", Value: sortInts, Why: "a stop is let through in long slices"},
		{Name: "IntsAreSorted", Value: sort.IntsAreSorted},
		{Name: "IsSorted", Value: sortIsSorted, Why: "a stop is let through in long slices"},
		{Name: "Reverse", Value: sortReverse, Why: "a stop is let through in long slices"},
		{Name: "reverse", Value: (*reversed)(nil), With: "Len Less Swap", Why: "what Reverse returns, for its name"},
		{Name: "Search", Value: sort.Search},
		{Name: "SearchFloat64s", Value: sort.SearchFloat64s},
		{Name: "SearchInts", Value: sort.SearchInts},
		{Name: "SearchStrings", Value: sortSearchStrings, Why: "a stop is let through in long texts"},
		{Name: "Slice", Value: sort.Slice},
		{Name: "SliceIsSorted", Value: sort.SliceIsSorted},
		{Name: "SliceStable", Value: sort.SliceStable},
		{Name: "Sort", Value: sortSort, Why: "a stop is let through in long slices"},
		{Name: "Stable", Value: sortStable, Why: "a stop is let through in long slices"},
		{Name: "Strings", Value: sortStrings, Why: "a stop is let through in long slices"},
		{Name: "StringsAreSorted", Value: sortStringsAreSorted, Why: "a stop is let through in long slices"},
	},
}
