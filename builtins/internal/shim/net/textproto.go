package net

import (
	"net/textproto"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// HeaderGet is for methods that look a key up, which they spell in their own way.
func HeaderGet[R any](f func(textproto.MIMEHeader, string) R) func(*shim.Env) func(textproto.MIMEHeader, string) R {
	return shim.SlowLast(MailRate, f)
}

// HeaderPut is for methods that store a value under such a key.
func HeaderPut(f func(h textproto.MIMEHeader, key, value string)) func(*shim.Env) func(h textproto.MIMEHeader, key, value string) {
	return func(e *shim.Env) func(h textproto.MIMEHeader, key, value string) {
		return func(h textproto.MIMEHeader, key, value string) {
			e.PayText(MailRate, len(key))
			e.Charge(int64(len(key)) + headerEntry)
			f(h, key, value)
		}
	}
}

// headerEntry is what a key and its list take in a map beside their text.
const headerEntry = 200

func HeaderDel(e *shim.Env) func(h textproto.MIMEHeader, key string) {
	return func(h textproto.MIMEHeader, key string) {
		e.PayText(MailRate, len(key))
		h.Del(key)
	}
}

// CanonicalKey is textproto.CanonicalMIMEHeaderKey.
var CanonicalKey = shim.Slow(MailRate, textproto.CanonicalMIMEHeaderKey)
