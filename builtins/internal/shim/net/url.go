package net

import (
	"net/url"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
	shimtemplate "github.com/sandtrap-go/sandtrap/builtins/internal/shim/template"
)

// Rates for PayText.
const (
	UrlRate     = 30
	urlJoinRate = 90
)

// payURL asks for the time that something takes that reads all of u.
func payURL(e *shim.Env, u *url.URL) {
	if u != nil {
		e.PayText(UrlRate, urlSize(u))
	}
}

// urlSize is how many bytes of text a URL holds.
func urlSize(u *url.URL) int {
	if u == nil {
		return 0
	}
	return len(u.Scheme) + len(u.Opaque) + userinfoSize(u.User) + len(u.Host) + len(u.Path) + len(u.RawPath) +
		len(u.RawQuery) + len(u.Fragment) + len(u.RawFragment)
}

func userinfoSize(u *url.Userinfo) int {
	password, _ := u.Password()
	return len(u.Username()) + len(password)
}

func init() {
	shim.HasText(func(_ *shim.Env, u *url.Userinfo) (int64, int64) { return urlText(userinfoSize(u)) })
	shim.HasText(func(_ *shim.Env, u *url.URL) (int64, int64) { return urlText(urlSize(u)) })
	shim.HasText(func(_ *shim.Env, u url.URL) (int64, int64) { return urlText(urlSize(&u)) })
}

func urlText(size int) (bytes, took int64) {
	return shimtemplate.UrlTimes * int64(size), UrlRate * int64(size)
}

func UserinfoString(e *shim.Env) func(*url.Userinfo) string {
	return func(u *url.Userinfo) string {
		e.PayText(UrlRate, userinfoSize(u))
		return u.String()
	}
}

// ReadingURL is for methods that make a text of a URL.
func ReadingURL[R any](f func(*url.URL) R) func(*shim.Env) func(*url.URL) R {
	return func(e *shim.Env) func(*url.URL) R {
		return func(u *url.URL) R {
			payURL(e, u)
			return f(u)
		}
	}
}

func UrlMarshalBinary(e *shim.Env) func(*url.URL) ([]byte, error) {
	return func(u *url.URL) ([]byte, error) {
		payURL(e, u)
		return u.MarshalBinary()
	}
}

func UrlAppendBinary(e *shim.Env) func(*url.URL, []byte) ([]byte, error) {
	return func(u *url.URL, b []byte) ([]byte, error) {
		payURL(e, u)
		return u.AppendBinary(b)
	}
}

func UrlParseAt(e *shim.Env) func(*url.URL, string) (*url.URL, error) {
	return func(u *url.URL, ref string) (*url.URL, error) {
		payURL(e, u)
		e.PayText(UrlRate, len(ref))
		e.PayCopies(shimtemplate.UrlTimes, urlSize(u)+len(ref))
		return u.Parse(ref)
	}
}

func UrlResolveReference(e *shim.Env) func(u, ref *url.URL) *url.URL {
	return func(u, ref *url.URL) *url.URL {
		payURL(e, u)
		payURL(e, ref)
		e.PayCopies(shimtemplate.UrlTimes, urlSize(u)+urlSize(ref))
		return u.ResolveReference(ref)
	}
}

func UrlJoin(e *shim.Env) func(*url.URL, ...string) *url.URL {
	return func(u *url.URL, elem ...string) *url.URL {
		payURL(e, u)
		e.PayCopies(shimtemplate.UrlTimes, urlSize(u))
		shimos.PayAll(e, urlJoinRate, elem)
		return u.JoinPath(elem...)
	}
}

func UrlJoinPath(e *shim.Env) func(string, ...string) (string, error) {
	return func(base string, elem ...string) (string, error) {
		e.PayText(urlJoinRate, len(base))
		shimos.PayAll(e, urlJoinRate, elem)
		return url.JoinPath(base, elem...)
	}
}

// UrlValuesEncode charges for the text, of three bytes for each that is escaped.
func UrlValuesEncode(e *shim.Env) func(url.Values) string {
	return func(v url.Values) string {
		size := 0
		for key, list := range v {
			for _, s := range list {
				size += len(key) + len(s) + 2
			}
		}
		e.PayText(UrlRate, size)
		if size >= shim.LargeText {
			e.ChargeProduct(int64(size), shimtemplate.UrlTimes)
		}
		return v.Encode()
	}
}

// EscapingURL is for functions that make up to three bytes of one.
func EscapingURL(f func(string) string) func(*shim.Env) func(string) string {
	return func(e *shim.Env) func(string) string {
		return func(s string) string { return f(shimtemplate.Escaped(e, s, shimtemplate.UrlTimes)) }
	}
}
