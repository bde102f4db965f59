package builtins

import "strconv"

var stdStrconv = Package{
	Path: "strconv",
	Bounded: "NumError.Error NumError.Unwrap AppendBool AppendInt AppendQuoteRune AppendQuoteRuneToASCII AppendQuoteRuneToGraphic AppendUint CanBackquote FormatBool FormatInt FormatUint " +
		"IsGraphic IsPrint Itoa QuoteRune QuoteRuneToASCII QuoteRuneToGraphic QuotedPrefix UnquoteChar",
	Prompt: "AppendBool AppendInt AppendQuote AppendUint Atoi FormatBool FormatFloat FormatInt FormatUint Itoa NumError.* ParseBool ParseFloat ParseInt ParseUint Quote",
	Members: []Member{
		{Name: "NumError", Value: (*strconv.NumError)(nil), With: "Err Error Func Num Unwrap"},

		{Name: "AppendBool", Value: strconv.AppendBool},
		{Name: "AppendFloat", Value: strconvAppendFloat, Why: "a precision asks for as many bytes"},
		{Name: "AppendInt", Value: strconv.AppendInt},
		{Name: "AppendQuote", Value: appendQuoting(strconv.AppendQuote), Why: "its result can be far larger than what it is given"},
		{Name: "AppendQuoteRune", Value: strconv.AppendQuoteRune},
		{Name: "AppendQuoteRuneToASCII", Value: strconv.AppendQuoteRuneToASCII},
		{Name: "AppendQuoteRuneToGraphic", Value: strconv.AppendQuoteRuneToGraphic},
		{Name: "AppendQuoteToASCII", Value: appendQuoting(strconv.AppendQuoteToASCII), Why: "its result can be far larger than what it is given"},
		{Name: "AppendQuoteToGraphic", Value: appendQuoting(strconv.AppendQuoteToGraphic), Why: "its result can be far larger than what it is given"},
		{Name: "AppendUint", Value: strconv.AppendUint},
		{Name: "Atoi", Value: parsing(5, 1, strconv.Atoi), Why: "an error may keep copies of the text"},
		{Name: "CanBackquote", Value: strconv.CanBackquote},
		{Name: "FormatBool", Value: strconv.FormatBool},
		{Name: "FormatComplex", Value: strconvFormatComplex, Why: "a precision asks for as many bytes"},
		{Name: "FormatFloat", Value: strconvFormatFloat, Why: "a precision asks for as many bytes"},
		{Name: "FormatInt", Value: strconv.FormatInt},
		{Name: "FormatUint", Value: strconv.FormatUint},
		{Name: "IsGraphic", Value: strconv.IsGraphic},
		{Name: "IsPrint", Value: strconv.IsPrint},
		{Name: "Itoa", Value: strconv.Itoa},
		{Name: "ParseBool", Value: parsing(1, 1, strconv.ParseBool), Why: "an error may keep copies of the text"},
		{Name: "ParseComplex", Value: slowFirstPair(8, strconv.ParseComplex), Why: "takes far longer than its text is"},
		{Name: "ParseFloat", Value: slowFirstPair(6, strconv.ParseFloat), Why: "takes far longer than its text is"},
		{Name: "ParseInt", Value: slowNumber(5, strconv.ParseInt), Why: "takes far longer than its text is"},
		{Name: "ParseUint", Value: slowNumber(5, strconv.ParseUint), Why: "takes far longer than its text is"},
		{Name: "Quote", Value: strconvQuote, Why: "its result can be far larger than what it is given"},
		{Name: "QuoteRune", Value: strconv.QuoteRune},
		{Name: "QuoteRuneToASCII", Value: strconv.QuoteRuneToASCII},
		{Name: "QuoteRuneToGraphic", Value: strconv.QuoteRuneToGraphic},
		{Name: "QuoteToASCII", Value: strconvQuoteToASCII, Why: "its result can be far larger than what it is given"},
		{Name: "QuoteToGraphic", Value: strconvQuoteToGraphic, Why: "its result can be far larger than what it is given"},
		{Name: "QuotedPrefix", Value: strconv.QuotedPrefix},
		{Name: "Unquote", Value: slowPair(15, strconv.Unquote), Why: "takes far longer than its text is"},
		{Name: "UnquoteChar", Value: strconv.UnquoteChar},

		{Name: "ErrRange", Value: &strconv.ErrRange},
		{Name: "ErrSyntax", Value: &strconv.ErrSyntax},

		{Name: "IntSize", Value: Literal("64")},
	},
}
