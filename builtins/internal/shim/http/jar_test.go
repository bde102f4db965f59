package http

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestJarAsksFirst: a jar asks for time and memory before it uses them, and for all cookies of a call at once.
func TestJarAsksFirst(t *testing.T) {
	far := &url.URL{Scheme: "http", Host: "example.com", Path: "/" + strings.Repeat("a", 1<<20) + "/x"}
	letters := &url.URL{Scheme: "http", Host: strings.Repeat("é", 1<<16) + ".com"}
	same := make([]*http.Cookie, 1000)
	for i := range same {
		same[i] = &http.Cookie{Name: "x"}
	}
	for name, tc := range map[string]struct {
		call          func(*Jar)
		work, charged int64 // at least, in one request
	}{
		"cookies of one path": {func(j *Jar) { j.SetCookies(far, same) }, 100 << 20, 0},
		"a cookie":            {func(j *Jar) { j.SetCookies(far, same[:1]) }, 0, 1 << 20},
		"a host":              {func(j *Jar) { j.SetCookies(letters, same[:1]) }, 1 << 32, 0},
		"a host that is read": {func(j *Jar) { j.Cookies(letters) }, 1 << 32, 0},
	} {
		var work, charged int64
		e := &shim.Env{Gates: shimtest.Gates{
			OnWork: func(n int64) {
				if work = max(work, n); tc.work > 0 && n >= tc.work {
					panic(shimtest.ErrRefused)
				}
			},
			OnCharge: func(n int64) {
				if charged = max(charged, n); tc.charged > 0 && n >= tc.charged {
					panic(shimtest.ErrRefused)
				}
			},
		}}
		j, err := NewJar(e)(nil)
		if err != nil {
			t.Fatal(err)
		}
		if p := shimtest.Outcome(func() { tc.call(j) }); p != shimtest.ErrRefused {
			t.Errorf("%s: it asked for %d ticks and %d bytes at once, want %d and %d: %v", name, work, charged, tc.work, tc.charged, p)
		}
	}
}
