package strconv

import (
	"strconv"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// floatRate is a rate for PayText.
const floatRate = 10

// payPrecision asks for the text of a float, which grows digit by digit.
func payPrecision(e *shim.Env, prec int) {
	e.ChargeProduct(3, int64(prec))
	e.PayText(floatRate, prec)
}

func FormatFloat(e *shim.Env) func(float64, byte, int, int) string {
	return func(f float64, verb byte, prec, bits int) string {
		payPrecision(e, prec)
		return strconv.FormatFloat(f, verb, prec, bits)
	}
}

func AppendFloat(e *shim.Env) func([]byte, float64, byte, int, int) []byte {
	return func(dst []byte, f float64, verb byte, prec, bits int) []byte {
		payPrecision(e, prec)
		return strconv.AppendFloat(dst, f, verb, prec, bits)
	}
}

func FormatComplex(e *shim.Env) func(complex128, byte, int, int) string {
	return func(c complex128, verb byte, prec, bits int) string {
		payPrecision(e, prec)
		payPrecision(e, prec)
		return strconv.FormatComplex(c, verb, prec, bits)
	}
}

func quoting(quote func(string) string) func(e *shim.Env) func(string) string {
	return func(e *shim.Env) func(string) string {
		return func(s string) string {
			if len(s) >= shim.LargeText {
				e.ChargeProduct(int64(len(s)), shim.Quoted)
				e.PayText(shim.QuoteRate, len(s))
			}
			return quote(s)
		}
	}
}

func AppendQuoting(quote func([]byte, string) []byte) func(e *shim.Env) func([]byte, string) []byte {
	return func(e *shim.Env) func([]byte, string) []byte {
		return func(dst []byte, s string) []byte {
			if len(s) >= shim.LargeText {
				e.ChargeProduct(int64(len(s)), shim.Quoted)
				e.PayText(shim.QuoteRate, len(s))
			}
			return quote(dst, s)
		}
	}
}

func Quote(e *shim.Env) func(string) string          { return quoting(strconv.Quote)(e) }
func QuoteToASCII(e *shim.Env) func(string) string   { return quoting(strconv.QuoteToASCII)(e) }
func QuoteToGraphic(e *shim.Env) func(string) string { return quoting(strconv.QuoteToGraphic)(e) }
