package builtins

import "strconv"

// floatRate is a rate for payText.
const floatRate = 10

// payPrecision asks for the text of a float, which grows digit by digit.
func (e *Env) payPrecision(prec int) {
	e.chargeProduct(3, int64(prec))
	e.payText(floatRate, prec)
}

func strconvFormatFloat(e *Env) func(float64, byte, int, int) string {
	return func(f float64, verb byte, prec, bits int) string {
		e.payPrecision(prec)
		return strconv.FormatFloat(f, verb, prec, bits)
	}
}

func strconvAppendFloat(e *Env) func([]byte, float64, byte, int, int) []byte {
	return func(dst []byte, f float64, verb byte, prec, bits int) []byte {
		e.payPrecision(prec)
		return strconv.AppendFloat(dst, f, verb, prec, bits)
	}
}

func strconvFormatComplex(e *Env) func(complex128, byte, int, int) string {
	return func(c complex128, verb byte, prec, bits int) string {
		e.payPrecision(prec)
		e.payPrecision(prec)
		return strconv.FormatComplex(c, verb, prec, bits)
	}
}

func quoting(quote func(string) string) func(e *Env) func(string) string {
	return func(e *Env) func(string) string {
		return func(s string) string {
			if len(s) >= largeText {
				e.chargeProduct(int64(len(s)), quoted)
				e.payText(quoteRate, len(s))
			}
			return quote(s)
		}
	}
}

func appendQuoting(quote func([]byte, string) []byte) func(e *Env) func([]byte, string) []byte {
	return func(e *Env) func([]byte, string) []byte {
		return func(dst []byte, s string) []byte {
			if len(s) >= largeText {
				e.chargeProduct(int64(len(s)), quoted)
				e.payText(quoteRate, len(s))
			}
			return quote(dst, s)
		}
	}
}

func strconvQuote(e *Env) func(string) string          { return quoting(strconv.Quote)(e) }
func strconvQuoteToASCII(e *Env) func(string) string   { return quoting(strconv.QuoteToASCII)(e) }
func strconvQuoteToGraphic(e *Env) func(string) string { return quoting(strconv.QuoteToGraphic)(e) }
