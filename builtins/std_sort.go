package builtins

import "sort"

var stdSort = Package{
	Path: "sort",
	Members: []Member{
		{Name: "Float64Slice", Value: (*sort.Float64Slice)(nil), With: "Len Less Search Sort Swap"},
		{Name: "IntSlice", Value: (*sort.IntSlice)(nil), With: "Len Less Search Sort Swap"},
		{Name: "Interface", Value: (*sort.Interface)(nil)},
		{Name: "StringSlice", Value: (*sort.StringSlice)(nil), With: "Len Less Search Sort Swap"},

		{Name: "Find", Value: sort.Find},
		{Name: "Float64s", Value: sortFloat64s, Why: "a stop is let through in long slices"},
		{Name: "Float64sAreSorted", Value: sort.Float64sAreSorted},
		{Name: "Ints", Value: sortInts, Why: "a stop is let through in long slices"},
		{Name: "IntsAreSorted", Value: sort.IntsAreSorted},
		{Name: "IsSorted", Value: sort.IsSorted},
		{Name: "Reverse", Value: sort.Reverse},
		{Name: "Search", Value: sort.Search},
		{Name: "SearchFloat64s", Value: sort.SearchFloat64s},
		{Name: "SearchInts", Value: sort.SearchInts},
		{Name: "SearchStrings", Value: sort.SearchStrings},
		{Name: "Slice", Value: sort.Slice},
		{Name: "SliceIsSorted", Value: sort.SliceIsSorted},
		{Name: "SliceStable", Value: sort.SliceStable},
		{Name: "Sort", Value: sort.Sort},
		{Name: "Stable", Value: sort.Stable},
		{Name: "Strings", Value: sortStrings, Why: "a stop is let through in long slices"},
		{Name: "StringsAreSorted", Value: sort.StringsAreSorted},
	},
}
