package std

import (
	"strconv"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimstrconv "github.com/sandtrap-go/sandtrap/builtins/internal/shim/strconv"
)

var stdStrconv = rows.Package{
	Path: "strconv",
	Bounded: "NumError.Error NumError.Unwrap AppendBool AppendInt AppendQuoteRune AppendQuoteRuneToASCII AppendQuoteRuneToGraphic AppendUint CanBackquote FormatBool FormatInt FormatUint " +
		"IsGraphic IsPrint Itoa QuoteRune QuoteRuneToASCII QuoteRuneToGraphic QuotedPrefix UnquoteChar",
	Prompt: "AppendBool AppendInt AppendQuote AppendUint Atoi FormatBool FormatFloat FormatInt FormatUint Itoa NumError.* ParseBool ParseFloat ParseInt ParseUint Quote",
	Members: []rows.Member{
		{Name: "NumError", Value: (*strconv.NumError)(nil), With: "Err Error Func Num Unwrap"},

		{Name: "AppendBool", Value: strconv.AppendBool},
		{Name: "AppendFloat", Value: shimstrconv.AppendFloat, Why: "a precision asks for as many bytes"},
		{Name: "AppendInt", Value: strconv.AppendInt},
		{Name: "AppendQuote", Value: shimstrconv.AppendQuoting(strconv.AppendQuote), Why: "its result can be far larger than what it is given"},
		{Name: "AppendQuoteRune", Value: strconv.AppendQuoteRune},
		{Name: "AppendQuoteRuneToASCII", Value: strconv.AppendQuoteRuneToASCII},
		{Name: "AppendQuoteRuneToGraphic", Value: strconv.AppendQuoteRuneToGraphic},
		{Name: "AppendQuoteToASCII", Value: shimstrconv.AppendQuoting(strconv.AppendQuoteToASCII), Why: "its result can be far larger than what it is given"},
		{Name: "AppendQuoteToGraphic", Value: shimstrconv.AppendQuoting(strconv.AppendQuoteToGraphic), Why: "its result can be far larger than what it is given"},
		{Name: "AppendUint", Value: strconv.AppendUint},
		{Name: "Atoi", Value: shim.Parsing(5, 1, strconv.Atoi), Why: "an error may keep copies of the text"},
		{Name: "CanBackquote", Value: strconv.CanBackquote},
		{Name: "FormatBool", Value: strconv.FormatBool},
		{Name: "FormatComplex", Value: shimstrconv.FormatComplex, Why: "a precision asks for as many bytes"},
		{Name: "FormatFloat", Value: shimstrconv.FormatFloat, Why: "a precision asks for as many bytes"},
		{Name: "FormatInt", Value: strconv.FormatInt},
		{Name: "FormatUint", Value: strconv.FormatUint},
		{Name: "IsGraphic", Value: strconv.IsGraphic},
		{Name: "IsPrint", Value: strconv.IsPrint},
		{Name: "Itoa", Value: strconv.Itoa},
		{Name: "ParseBool", Value: shim.Parsing(1, 1, strconv.ParseBool), Why: "an error may keep copies of the text"},
		{Name: "ParseComplex", Value: shim.SlowFirstPair(8, strconv.ParseComplex), Why: "takes far longer than its text is"},
		{Name: "ParseFloat", Value: shim.SlowFirstPair(6, strconv.ParseFloat), Why: "takes far longer than its text is"},
		{Name: "ParseInt", Value: shim.SlowNumber(5, strconv.ParseInt), Why: "takes far longer than its text is"},
		{Name: "ParseUint", Value: shim.SlowNumber(5, strconv.ParseUint), Why: "takes far longer than its text is"},
		{Name: "Quote", Value: shimstrconv.Quote, Why: "its result can be far larger than what it is given"},
		{Name: "QuoteRune", Value: strconv.QuoteRune},
		{Name: "QuoteRuneToASCII", Value: strconv.QuoteRuneToASCII},
		{Name: "QuoteRuneToGraphic", Value: strconv.QuoteRuneToGraphic},
		{Name: "QuoteToASCII", Value: shimstrconv.QuoteToASCII, Why: "its result can be far larger than what it is given"},
		{Name: "QuoteToGraphic", Value: shimstrconv.QuoteToGraphic, Why: "its result can be far larger than what it is given"},
		{Name: "QuotedPrefix", Value: strconv.QuotedPrefix},
		{Name: "Unquote", Value: shim.SlowPair(15, strconv.Unquote), Why: "takes far longer than its text is"},
		{Name: "UnquoteChar", Value: strconv.UnquoteChar},

		{Name: "ErrRange", Value: &strconv.ErrRange},
		{Name: "ErrSyntax", Value: &strconv.ErrSyntax},

		{Name: "IntSize", Value: rows.Literal("64")},
	},
}
