package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
)

// FuzzBodies sends any body to each route that reads one: none is answered with an error of the server, and each is answered.
func FuzzBodies(f *testing.F) {
	r := newRigWith(f, rigOptions{timeout: 200 * time.Millisecond})
	mine := r.own(f, "admin")
	var routes []api.Pattern
	for _, p := range api.Patterns() {
		if p.Body {
			routes = append(routes, p)
		}
	}
	for i, p := range routes {
		f.Add(uint8(i), expectations[p.Method+" "+p.Path].body)
	}
	for _, seed := range []string{
		`{"code":"fmt.Println(1)","inputs":{"n":1},"policy":"default","timeout_ms":5,"idempotency_key":"k"}`, `{"code":"Search(\"a\")","tools":"` + tools + `","session":""}`,
		`{"code":"for {}","timeout_ms":1}`, `{"answers":[{"id":1,"error":"no","verdict":"deny","by":"x"}]}`, `{"answers":[{"id":1,"value":null}]}`, `{"n":100}`, `{"n":-1}`,
		`{"tenant":"a","role":"user"}`, `null`, `[]`, `""`, `{}`, "\xff", strings.Repeat("[", 200), `{"code":"\ud800"}`, `{"a":1,"a":1}`, `1e999`,
	} {
		for i := range routes {
			f.Add(uint8(i), seed)
		}
	}
	handler := r.api.Handler()
	f.Fuzz(func(t *testing.T, n uint8, body string) {
		p := routes[int(n)%len(routes)]
		var values []string
		if of := expectations[p.Method+" "+p.Path].values; of != nil {
			values = of(mine)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		q := httptest.NewRequestWithContext(ctx, p.Method, fill(p.Path, values), strings.NewReader(body))
		q.Host = "localhost"
		q.Header.Set("Authorization", "Bearer "+r.tokens["admin"])
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, q)
		if ctx.Err() != nil || w.Code >= http.StatusInternalServerError || w.Body.Len() == 0 {
			t.Errorf("%s %s %q: %d: %s, %v", p.Method, p.Path, body, w.Code, w.Body, ctx.Err())
		}
		if strings.Contains(w.Body.String(), r.dir) {
			t.Errorf("%q shows the data directory: %s", body, w.Body)
		}
	})
}
