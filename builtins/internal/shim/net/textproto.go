package net

import (
	"net/textproto"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// HeaderPut is for methods that store a value under a key, which they spell in their own way.
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
