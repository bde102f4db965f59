package record

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// redacted stands in place of a secret.
const redacted = "[redacted]"

// A Redactor replaces secrets in events by "[redacted]". The zero Redactor, and a nil one, find them by the names of keys, such
// as password, token, secret, authorization, api_key and cookie, in any case, with any separators and within longer names:
// in the objects of the arguments at any depth, in JSON within texts, after names and flags in lists, and as name=value and
// name: value in texts, which covers the queries of URLs. The user and the password of URLs are replaced, too.
// AddKeys adds names, and AddValues values, which are found wherever they stand in an event. All methods are safe for concurrent
// use.
//
// Event.Hash stays: who knows all of the arguments but a short secret can guess that from it.
type Redactor struct {
	mu    sync.Mutex // of the methods that add
	added atomic.Pointer[additions]
}

// additions are what a Redactor looks for. They are never changed.
type additions struct {
	keys    *keySet
	secrets []secret
}

// defaults are the additions of the zero Redactor.
var defaults = &additions{keys: newKeySet("password", "passwd", "passphrase", "pwd", "secret", "token", "authorization", "apikey",
	"accesskey", "privatekey", "signingkey", "encryptionkey", "cookie", "credential", "sessionid", "bearer", "jwt")}

func (r *Redactor) known() *additions {
	if r != nil {
		if a := r.added.Load(); a != nil {
			return a
		}
	}
	return defaults
}

// AddKeys adds names of keys whose values are secrets. A key is one if it contains a name, both without regard to case and to
// what is neither a letter nor a digit.
func (r *Redactor) AddKeys(names ...string) error {
	return r.add(func(a *additions) error {
		for _, name := range names {
			key := string(plainKey(nil, name))
			if key == "" {
				return errors.New("record: a key without a letter or a digit")
			}
			a.keys[key[0]] = append(slices.Clip(a.keys[key[0]]), key)
		}
		return nil
	})
}

// minSecret is the length of the shortest value that is looked for within others.
const minSecret = 4

// AddValues adds values that are secrets: as they are, and as parts of what is encoded in base64, with percent signs, or in hex.
// A value of less than 4 bytes is an error, and then none is added.
func (r *Redactor) AddValues(values ...string) error {
	return r.add(func(a *additions) error {
		for _, v := range values {
			if len(v) < minSecret {
				return errors.New("record: a secret value of less than 4 bytes would be found everywhere")
			}
			a.secrets = append(a.secrets, newSecret(v))
		}
		return nil
	})
}

func (r *Redactor) add(to func(*additions) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.known()
	keys := *was.keys
	next := &additions{keys: &keys, secrets: slices.Clone(was.secrets)}
	if err := to(next); err != nil {
		return err
	}
	r.added.Store(next)
	return nil
}

// Event is e without secrets. It shares no arguments with e. Arguments that are not JSON become a string of JSON.
func (r *Redactor) Event(e Event) Event {
	known := r.known()
	for _, s := range []*string{&e.Tenant, &e.Session, &e.Run, &e.Script, &e.Member, &e.At, &e.Rule, &e.By, &e.Outcome} {
		*s = known.values(*s)
	}
	e.Reason, e.Error = known.text(e.Reason, 0), known.text(e.Error, 0)
	if len(e.Args) > 0 {
		e.Args = known.json(e.Args)
	}
	return e
}

// Sink is a Sink that writes events without secrets to s.
func (r *Redactor) Sink(s Sink) Sink {
	return funcSink(func(e Event) error { return s.Write(r.Event(e)) })
}

// text is s without secrets. Depth is that of JSON around it.
func (a *additions) text(s string, depth int) string {
	return a.values(a.named(a.embedded(s, depth)))
}

// sensitive reports that what has this name is a secret.
func (a *additions) sensitive(name string) bool {
	var room [64]byte
	key := plainKey(room[:0], name)
	for i, c := range key {
		for _, pattern := range a.keys[c] {
			if rest := key[i:]; len(rest) >= len(pattern) && string(rest[:len(pattern)]) == pattern {
				return true
			}
		}
	}
	return false
}

// A keySet has names of keys, as plainKey gives them, by their first byte.
type keySet [256][]string

func newKeySet(names ...string) *keySet {
	s := new(keySet)
	for _, n := range names {
		s[n[0]] = append(s[n[0]], n)
	}
	return s
}

// plainKey appends the ASCII letters, in lower case, and digits of name, and all beyond ASCII.
func plainKey(to []byte, name string) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			to = append(to, c|0x20)
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			to = append(to, c)
		}
	}
	return to
}
