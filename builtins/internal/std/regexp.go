package std

import (
	"index/suffixarray"
	"regexp/syntax"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimregexp "github.com/sandtrap-go/sandtrap/builtins/internal/shim/regexp"
)

var stdIndexSuffixarray = rows.Package{
	Path:    "index/suffixarray",
	Bounded: "Index.Bytes",
	Members: []rows.Member{
		{Name: "Index", Value: (*suffixarray.Index)(nil), With: "Bytes"},
		{Name: "Index.FindAllIndex", Value: shimregexp.SuffixarrayFindAll, Why: "lets a stop through"},
		{Name: "Index.Lookup", Value: shimregexp.SuffixarrayLookup, Why: "its result can be far larger than what it is given"},

		{Name: "New", Value: shimregexp.SuffixarrayNew, Why: "takes many times the memory of the text"},
	},
	Denied: []rows.Denial{
		{Names: "Index.Read Index.Write", Why: "makes room for as much as the data says"},
	},
}

var stdRegexp = rows.Package{
	Path:    "regexp",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Regexp", Value: (*shimregexp.Regexp)(nil), With: "AppendText Copy Expand ExpandString Find FindAll FindAllIndex FindAllString FindAllStringIndex FindAllStringSubmatch FindAllStringSubmatchIndex FindAllSubmatch FindAllSubmatchIndex FindIndex FindReaderIndex FindReaderSubmatchIndex FindString FindStringIndex FindStringSubmatch FindStringSubmatchIndex FindSubmatch FindSubmatchIndex LiteralPrefix Longest MarshalText Match MatchReader MatchString NumSubexp ReplaceAll ReplaceAllFunc ReplaceAllLiteral ReplaceAllLiteralString ReplaceAllString ReplaceAllStringFunc Split String SubexpIndex SubexpNames", Why: "Go's own cannot be stopped in a long text"},
		{Name: "Regexp.UnmarshalText", Value: shimregexp.RegexpUnmarshalText, Why: "asks for what the program takes"},

		{Name: "Compile", Value: shimregexp.RegexpCompile, Why: "asks for what the program takes"},
		{Name: "CompilePOSIX", Value: shimregexp.RegexpCompilePOSIX, Why: "asks for what the program takes"},
		{Name: "Match", Value: shimregexp.RegexpMatch, Why: "asks for what the program takes"},
		{Name: "MatchReader", Value: shimregexp.RegexpMatchReader, Why: "asks for what the program takes"},
		{Name: "MatchString", Value: shimregexp.RegexpMatchString, Why: "asks for what the program takes"},
		{Name: "MustCompile", Value: shimregexp.RegexpMustCompile, Why: "asks for what the program takes"},
		{Name: "MustCompilePOSIX", Value: shimregexp.RegexpMustCompilePOSIX, Why: "asks for what the program takes"},
		{Name: "QuoteMeta", Value: shimregexp.RegexpQuoteMeta, Why: "its result is larger than what it is given"},
	},
}

var stdRegexpSyntax = rows.Package{
	Path: "regexp/syntax",
	Bounded: "Error.Error ErrorCode.String Inst.MatchEmptyWidth Inst.MatchRune Inst.MatchRunePos Inst.String InstOp.String Op.String Prog.Prefix Prog.StartCond Prog.String Regexp.CapNames " +
		"Regexp.Equal Regexp.MaxCap EmptyOpContext IsWordChar",
	Members: []rows.Member{
		{Name: "EmptyOp", Value: (*syntax.EmptyOp)(nil)},
		{Name: "Error", Value: (*syntax.Error)(nil), With: "Code Error Expr"},
		{Name: "ErrorCode", Value: (*syntax.ErrorCode)(nil), With: "String"},
		{Name: "Flags", Value: (*syntax.Flags)(nil)},
		{Name: "Inst", Value: (*syntax.Inst)(nil), With: "Arg MatchEmptyWidth MatchRune MatchRunePos Op Out Rune String"},
		{Name: "InstOp", Value: (*syntax.InstOp)(nil), With: "String"},
		{Name: "Op", Value: (*syntax.Op)(nil), With: "String"},
		{Name: "Prog", Value: (*syntax.Prog)(nil), With: "NumCap Prefix StartCond String", Handle: true, Why: "a program that scripts could change might have no end"},
		{Name: "Regexp", Value: (*syntax.Regexp)(nil), With: "CapNames Equal MaxCap", Handle: true, Why: "a tree that scripts could change might have no end"},
		{Name: "Regexp.Simplify", Value: shimregexp.SyntaxSimplify, Why: "writes repetitions out"},
		{Name: "Regexp.String", Value: shimregexp.SyntaxString, Why: "writes repetitions out"},

		{Name: "Compile", Value: shimregexp.SyntaxCompile, Why: "asks for what the program takes"},
		{Name: "EmptyOpContext", Value: syntax.EmptyOpContext},
		{Name: "IsWordChar", Value: syntax.IsWordChar},
		{Name: "Parse", Value: shimregexp.SyntaxParse, Why: "asks for what the program takes"},

		{Name: "ClassNL", Value: syntax.ClassNL},
		{Name: "DotNL", Value: syntax.DotNL},
		{Name: "EmptyBeginLine", Value: syntax.EmptyBeginLine},
		{Name: "EmptyBeginText", Value: syntax.EmptyBeginText},
		{Name: "EmptyEndLine", Value: syntax.EmptyEndLine},
		{Name: "EmptyEndText", Value: syntax.EmptyEndText},
		{Name: "EmptyNoWordBoundary", Value: syntax.EmptyNoWordBoundary},
		{Name: "EmptyWordBoundary", Value: syntax.EmptyWordBoundary},
		{Name: "ErrInternalError", Value: syntax.ErrInternalError},
		{Name: "ErrInvalidCharClass", Value: syntax.ErrInvalidCharClass},
		{Name: "ErrInvalidCharRange", Value: syntax.ErrInvalidCharRange},
		{Name: "ErrInvalidEscape", Value: syntax.ErrInvalidEscape},
		{Name: "ErrInvalidNamedCapture", Value: syntax.ErrInvalidNamedCapture},
		{Name: "ErrInvalidPerlOp", Value: syntax.ErrInvalidPerlOp},
		{Name: "ErrInvalidRepeatOp", Value: syntax.ErrInvalidRepeatOp},
		{Name: "ErrInvalidRepeatSize", Value: syntax.ErrInvalidRepeatSize},
		{Name: "ErrInvalidUTF8", Value: syntax.ErrInvalidUTF8},
		{Name: "ErrLarge", Value: syntax.ErrLarge},
		{Name: "ErrMissingBracket", Value: syntax.ErrMissingBracket},
		{Name: "ErrMissingParen", Value: syntax.ErrMissingParen},
		{Name: "ErrMissingRepeatArgument", Value: syntax.ErrMissingRepeatArgument},
		{Name: "ErrNestingDepth", Value: syntax.ErrNestingDepth},
		{Name: "ErrTrailingBackslash", Value: syntax.ErrTrailingBackslash},
		{Name: "ErrUnexpectedParen", Value: syntax.ErrUnexpectedParen},
		{Name: "FoldCase", Value: syntax.FoldCase},
		{Name: "InstAlt", Value: syntax.InstAlt},
		{Name: "InstAltMatch", Value: syntax.InstAltMatch},
		{Name: "InstCapture", Value: syntax.InstCapture},
		{Name: "InstEmptyWidth", Value: syntax.InstEmptyWidth},
		{Name: "InstFail", Value: syntax.InstFail},
		{Name: "InstMatch", Value: syntax.InstMatch},
		{Name: "InstNop", Value: syntax.InstNop},
		{Name: "InstRune", Value: syntax.InstRune},
		{Name: "InstRune1", Value: syntax.InstRune1},
		{Name: "InstRuneAny", Value: syntax.InstRuneAny},
		{Name: "InstRuneAnyNotNL", Value: syntax.InstRuneAnyNotNL},
		{Name: "Literal", Value: syntax.Literal},
		{Name: "MatchNL", Value: syntax.MatchNL},
		{Name: "NonGreedy", Value: syntax.NonGreedy},
		{Name: "OneLine", Value: syntax.OneLine},
		{Name: "OpAlternate", Value: syntax.OpAlternate},
		{Name: "OpAnyChar", Value: syntax.OpAnyChar},
		{Name: "OpAnyCharNotNL", Value: syntax.OpAnyCharNotNL},
		{Name: "OpBeginLine", Value: syntax.OpBeginLine},
		{Name: "OpBeginText", Value: syntax.OpBeginText},
		{Name: "OpCapture", Value: syntax.OpCapture},
		{Name: "OpCharClass", Value: syntax.OpCharClass},
		{Name: "OpConcat", Value: syntax.OpConcat},
		{Name: "OpEmptyMatch", Value: syntax.OpEmptyMatch},
		{Name: "OpEndLine", Value: syntax.OpEndLine},
		{Name: "OpEndText", Value: syntax.OpEndText},
		{Name: "OpLiteral", Value: syntax.OpLiteral},
		{Name: "OpNoMatch", Value: syntax.OpNoMatch},
		{Name: "OpNoWordBoundary", Value: syntax.OpNoWordBoundary},
		{Name: "OpPlus", Value: syntax.OpPlus},
		{Name: "OpQuest", Value: syntax.OpQuest},
		{Name: "OpRepeat", Value: syntax.OpRepeat},
		{Name: "OpStar", Value: syntax.OpStar},
		{Name: "OpWordBoundary", Value: syntax.OpWordBoundary},
		{Name: "POSIX", Value: syntax.POSIX},
		{Name: "Perl", Value: syntax.Perl},
		{Name: "PerlX", Value: syntax.PerlX},
		{Name: "Simple", Value: syntax.Simple},
		{Name: "UnicodeGroups", Value: syntax.UnicodeGroups},
		{Name: "WasDollar", Value: syntax.WasDollar},
	},
	Denied: []rows.Denial{
		{Names: "Regexp.Cap Regexp.Flags Regexp.Max Regexp.Min Regexp.Name Regexp.Op Regexp.Rune Regexp.Rune0 Regexp.Sub Regexp.Sub0", Why: "a tree that scripts could change might have no end"},
		{Names: "Prog.Inst Prog.Start", Why: "a program that scripts could change might have no end"},
	},
}
