package net

import (
	"io"
	"net/mail"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimmime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/mime"
)

// Rates for PayText, and for each byte that a message is read from.
const (
	MailRate       = 10  // canonical keys, quoted names
	addressRate    = 200 // a list of addresses of three bytes each
	dateRate       = 150 // 96 layouts are tried, and each leaves an error with the text
	mailHeaderRate = 100 // a header of keys of one byte each
)

// Copies for PayCopies, of each byte.
const (
	addressCopies = 64
	dateCopies    = 100
	headerCopies  = 64
)

func MailAddressString(e *shim.Env) func(*mail.Address) string {
	return func(a *mail.Address) string {
		size := len(a.Name) + len(a.Address)
		e.PayText(shim.QuoteRate, size)
		e.PayCopies(shim.Quoted, size)
		return a.String()
	}
}

func payAddress(e *shim.Env, text string) {
	e.PayText(addressRate, len(text))
	e.PayCopies(addressCopies, len(text))
}

// ParsingMail is for functions that read addresses.
func ParsingMail[R any](f func(string) (R, error)) func(*shim.Env) func(string) (R, error) {
	return func(e *shim.Env) func(string) (R, error) {
		return func(text string) (R, error) {
			payAddress(e, text)
			return f(text)
		}
	}
}

// ParsingMailBy is for methods that do so with a decoder of the script's.
func ParsingMailBy[R any](f func(*mail.AddressParser, string) (R, error)) func(*shim.Env) func(*mail.AddressParser, string) (R, error) {
	return func(e *shim.Env) func(*mail.AddressParser, string) (R, error) {
		return func(p *mail.AddressParser, text string) (R, error) {
			payAddress(e, text)
			return f(&mail.AddressParser{WordDecoder: shimmime.DecoderOf(e, p.WordDecoder)}, text)
		}
	}
}

func payDate(e *shim.Env, text string) {
	e.PayText(dateRate, len(text))
	e.PayCopies(dateCopies, len(text))
}

func MailParseDate[R any](f func(string) (R, error)) func(*shim.Env) func(string) (R, error) {
	return func(e *shim.Env) func(string) (R, error) {
		return func(text string) (R, error) {
			payDate(e, text)
			return f(text)
		}
	}
}

func MailHeaderDate[R any](f func(mail.Header) (R, error)) func(*shim.Env) func(mail.Header) (R, error) {
	return func(e *shim.Env) func(mail.Header) (R, error) {
		return func(h mail.Header) (R, error) {
			payDate(e, h.Get("Date"))
			return f(h)
		}
	}
}

func MailHeaderAddressList(e *shim.Env) func(mail.Header, string) ([]*mail.Address, error) {
	return func(h mail.Header, key string) ([]*mail.Address, error) {
		e.PayText(MailRate, 2*len(key))
		payAddress(e, h.Get(key))
		return h.AddressList(key)
	}
}

// MailReadMessage pays for a header while it is read: of how many fields it is, and how
// long they are, is not known before.
func MailReadMessage(e *shim.Env) func(io.Reader) (*mail.Message, error) {
	return func(r io.Reader) (*mail.Message, error) {
		header := true // is being read
		e.Charge(2 * 4096)
		m, err := mail.ReadMessage(&shim.PayingReader{R: r, Env: e, Pay: func(p []byte) {
			if header {
				e.Charge(headerCopies * int64(len(p)))
				e.Work(int64(len(p)) * mailHeaderRate / shim.TickTime)
			}
		}})
		header = false
		return m, err
	}
}
