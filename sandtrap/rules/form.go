package rules

import (
	"crypto/sha256"
	"reflect"
	"strconv"
	"strings"
)

// maxKey is how many bytes a value in a set may have; of a longer one the set has the SHA-256.
const maxKey = 256

// A form says how values become keys of a set.
type form struct {
	as   string // "path", "url", or empty
	base base
}

// key is that of v, in the memory of c; nil if there is none. It is not sure if the same value may have other keys.
func (f *form) key(v reflect.Value, c *call) (key []byte, sure bool) {
	key, sure = c.key[:0], true
	switch {
	case v.Kind() == reflect.String && f.as == "path":
		key, sure = f.pathKey(key, v.String(), c)
	case v.Kind() == reflect.String && f.as == "url":
		key, sure = urlKey(key, v.String(), c)
	case v.Kind() == reflect.String:
		key = append(append(key, 's'), v.String()...)
	case f.as != "":
		return nil, false
	case v.Kind() == reflect.Bool:
		key = strconv.AppendBool(append(key, 'b'), v.Bool())
	case isNumber(v):
		key = append(append(key, 'n'), numberOf(v).String()...)
	default:
		return nil, false
	}
	if key == nil {
		return nil, false
	}
	if len(key) > maxKey {
		sum := sha256.Sum256(key[1:])
		key = append(append(c.key[:0], key[0]^'a'^'A'), sum[:]...)
	}
	return key, sure
}

// pathKey is the key of a clean path. Of a relative one that leads out of its directory nobody knows where it is.
func (f *form) pathKey(key []byte, text string, c *call) ([]byte, bool) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, false
	}
	at := c.place(&f.base, text)
	kind := byte('r')
	if at.absolute {
		kind = 'a'
	}
	key = append(key, kind)
	for range at.climbs {
		key = append(key, "/.."...)
	}
	for _, s := range at.segments {
		key = append(append(key, '/'), s...)
	}
	return key, at.climbs == 0
}

// urlKey is the key of a URL in its canonical form, with its query.
func urlKey(key []byte, text string, c *call) ([]byte, bool) {
	a, err := c.address(text)
	if err != nil {
		return nil, false
	}
	key = append(append(append(key, 'u'), a.scheme...), "://"...)
	key = append(append(append(key, a.host...), ':'), a.port...)
	for _, s := range a.segments {
		key = append(append(key, '/'), s...)
	}
	if _, query, found := strings.Cut(text, "?"); found {
		query, _, _ = strings.Cut(query, "#")
		key = append(append(key, '?'), query...)
	}
	return key, true
}

// hasOther reports that a set has a path that may be that of the key: an absolute one if this is relative, or the other way
// round.
func (f *form) hasOther(key []byte, have map[string]struct{}) bool {
	if f.as != "path" {
		return false
	}
	key[0] ^= 'a' ^ 'r'
	_, found := have[string(key)]
	key[0] ^= 'a' ^ 'r'
	return found
}
