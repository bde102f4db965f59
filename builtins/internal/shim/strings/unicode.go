package strings

import (
	"maps"
	"slices"
	"unicode"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The tables of package unicode are shared by all of the process. Scripts get
// copies of the maps and slices; what the tables themselves hold is not shown.

func UnicodeCategories(*shim.Env) map[string]*unicode.RangeTable {
	return maps.Clone(unicode.Categories)
}
func UnicodeScripts(*shim.Env) map[string]*unicode.RangeTable { return maps.Clone(unicode.Scripts) }
func UnicodeProperties(*shim.Env) map[string]*unicode.RangeTable {
	return maps.Clone(unicode.Properties)
}
func UnicodeFoldCategory(*shim.Env) map[string]*unicode.RangeTable {
	return maps.Clone(unicode.FoldCategory)
}
func UnicodeFoldScript(*shim.Env) map[string]*unicode.RangeTable {
	return maps.Clone(unicode.FoldScript)
}
func UnicodeCategoryAliases(*shim.Env) map[string]string { return maps.Clone(unicode.CategoryAliases) }
func UnicodeCaseRanges(*shim.Env) []unicode.CaseRange    { return slices.Clone(unicode.CaseRanges) }
func UnicodeGraphicRanges(*shim.Env) []*unicode.RangeTable {
	return slices.Clone(unicode.GraphicRanges)
}
func UnicodePrintRanges(*shim.Env) []*unicode.RangeTable { return slices.Clone(unicode.PrintRanges) }
func UnicodeTurkishCase(*shim.Env) unicode.SpecialCase   { return slices.Clone(unicode.TurkishCase) }
func UnicodeAzeriCase(*shim.Env) unicode.SpecialCase     { return slices.Clone(unicode.AzeriCase) }
