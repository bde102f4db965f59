package builtins

import "math/cmplx"

var stdMathCmplx = Package{
	Path:    "math/cmplx",
	Bounded: "Abs Acos Acosh Asin Asinh Atan Atanh Conj Cos Cosh Cot Exp Inf IsInf IsNaN Log Log10 NaN Phase Polar Pow Rect Sin Sinh Sqrt Tan Tanh",
	Prompt:  "*",
	Members: []Member{
		{Name: "Abs", Value: cmplx.Abs},
		{Name: "Acos", Value: cmplx.Acos},
		{Name: "Acosh", Value: cmplx.Acosh},
		{Name: "Asin", Value: cmplx.Asin},
		{Name: "Asinh", Value: cmplx.Asinh},
		{Name: "Atan", Value: cmplx.Atan},
		{Name: "Atanh", Value: cmplx.Atanh},
		{Name: "Conj", Value: cmplx.Conj},
		{Name: "Cos", Value: cmplx.Cos},
		{Name: "Cosh", Value: cmplx.Cosh},
		{Name: "Cot", Value: cmplx.Cot},
		{Name: "Exp", Value: cmplx.Exp},
		{Name: "Inf", Value: cmplx.Inf},
		{Name: "IsInf", Value: cmplx.IsInf},
		{Name: "IsNaN", Value: cmplx.IsNaN},
		{Name: "Log", Value: cmplx.Log},
		{Name: "Log10", Value: cmplx.Log10},
		{Name: "NaN", Value: cmplx.NaN},
		{Name: "Phase", Value: cmplx.Phase},
		{Name: "Polar", Value: cmplx.Polar},
		{Name: "Pow", Value: cmplx.Pow},
		{Name: "Rect", Value: cmplx.Rect},
		{Name: "Sin", Value: cmplx.Sin},
		{Name: "Sinh", Value: cmplx.Sinh},
		{Name: "Sqrt", Value: cmplx.Sqrt},
		{Name: "Tan", Value: cmplx.Tan},
		{Name: "Tanh", Value: cmplx.Tanh},
	},
}
