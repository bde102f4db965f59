package builtins

import "compress/bzip2"

var stdCompressBzip2 = Package{
	Path:    "compress/bzip2",
	Bounded: "StructuralError.Error",
	Members: []Member{
		{Name: "StructuralError", Value: (*bzip2.StructuralError)(nil), With: "Error"},

		{Name: "NewReader", Value: bzip2NewReader, Why: "charges for its tables"},
	},
}
