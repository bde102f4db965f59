package builtins

import (
	"maps"
	"slices"
	"unicode"
)

// The tables of package unicode are shared by all of the process. Scripts get
// copies of the maps and slices; what the tables themselves hold is not shown.

func unicodeCategories(*Env) map[string]*unicode.RangeTable { return maps.Clone(unicode.Categories) }
func unicodeScripts(*Env) map[string]*unicode.RangeTable    { return maps.Clone(unicode.Scripts) }
func unicodeProperties(*Env) map[string]*unicode.RangeTable { return maps.Clone(unicode.Properties) }
func unicodeFoldCategory(*Env) map[string]*unicode.RangeTable {
	return maps.Clone(unicode.FoldCategory)
}
func unicodeFoldScript(*Env) map[string]*unicode.RangeTable { return maps.Clone(unicode.FoldScript) }
func unicodeCategoryAliases(*Env) map[string]string         { return maps.Clone(unicode.CategoryAliases) }
func unicodeCaseRanges(*Env) []unicode.CaseRange            { return slices.Clone(unicode.CaseRanges) }
func unicodeGraphicRanges(*Env) []*unicode.RangeTable       { return slices.Clone(unicode.GraphicRanges) }
func unicodePrintRanges(*Env) []*unicode.RangeTable         { return slices.Clone(unicode.PrintRanges) }
func unicodeTurkishCase(*Env) unicode.SpecialCase           { return slices.Clone(unicode.TurkishCase) }
func unicodeAzeriCase(*Env) unicode.SpecialCase             { return slices.Clone(unicode.AzeriCase) }
