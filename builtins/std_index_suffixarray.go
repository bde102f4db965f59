package builtins

import "index/suffixarray"

var stdIndexSuffixarray = Package{
	Path:    "index/suffixarray",
	Bounded: "Index.Bytes",
	Members: []Member{
		{Name: "Index", Value: (*suffixarray.Index)(nil), With: "Bytes"},
		{Name: "Index.FindAllIndex", Value: suffixarrayFindAll, Why: "lets a stop through"},
		{Name: "Index.Lookup", Value: suffixarrayLookup, Why: "its result can be far larger than what it is given"},

		{Name: "New", Value: suffixarrayNew, Why: "takes many times the memory of the text"},
	},
	Denied: []Denial{
		{Names: "Index.Read Index.Write", Why: "makes room for as much as the data says"},
	},
}
