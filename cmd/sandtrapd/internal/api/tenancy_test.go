package api_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// things are one of each kind that a tenant has.
type things struct{ run, live, key, session, snapshot, policy, batch string }

const tools = `package tools\nfunc Search(query string) ([]string, error)`

// own makes the things of a tenant.
func (r *rig) own(t testing.TB, tenant string) (have things) {
	t.Helper()
	v := r.start(t, tenant, `{"code":"artifact(\"a.txt\", []byte(\"of `+tenant+`\"))\nr, err := Search(\"go\")\nfmt.Println(r, err)","tools":"`+tools+`"}`)
	if v.State != store.Pending {
		t.Fatalf("%+v", v)
	}
	have.run, have.live = v.ID, r.goOn(t, tenant)
	for _, k := range r.keys.List() {
		if k.Tenant == tenant {
			have.key = k.ID()
		}
	}
	have.session = r.session(t, tenant, "").ID
	r.want(t, 200, tenant, "PUT", "/v1/sessions/"+have.session+"/files/f", "of "+tenant)
	var saved struct{ Snapshot string }
	if err := json.Unmarshal([]byte(r.want(t, 201, tenant, "POST", "/v1/sessions/"+have.session+"/save", "")), &saved); err != nil {
		t.Fatal(err)
	}
	have.snapshot, have.policy = saved.Snapshot, "of-"+tenant
	r.want(t, 201, "admin", "PUT", "/v1/policies/"+have.policy+"?tenants="+tenant, "std: [fmt]")
	return have
}

// aBatchOf makes a batch of a tenant.
func (r *rig) aBatchOf(t testing.TB, tenant string) string {
	t.Helper()
	var b batches.Batch
	if err := json.Unmarshal([]byte(r.want(t, 202, tenant, "POST", "/v1/batches", `{"code":"1"}`)), &b); err != nil {
		t.Fatal(err)
	}
	return b.ID
}

// goOn begins a run that goes on until the end of the test.
func (r *rig) goOn(t testing.TB, tenant string) (id string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), "POST", r.URL+"/v1/runs", strings.NewReader(`{"code":"time.Sleep(time.Hour)"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.tokens[tenant])
	q.Header.Set("Prefer", "respond-async")
	res, err := r.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var v runs.View
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil || v.State != store.Running {
		t.Fatalf("%d: %+v, %v", res.StatusCode, v, err)
	}
	t.Cleanup(func() {
		q := q.Clone(context.Background())
		q.URL.Path, q.Body = "/v1/runs/"+v.ID+"/cancel", http.NoBody
		if res, err := r.Client().Do(q); err == nil {
			res.Body.Close()
		}
	})
	return v.ID
}

// An expectation says what a route is asked for: the values of the parameters of its path, and a body that it takes. Without values it
// names no thing, and what it answers with is tested elsewhere.
type expectation struct {
	values func(things) []string
	body   string
	ids    int // how many of the values are ids; 0 is all
}

func aRun(of things) []string     { return []string{of.run} }
func aBatch(of things) []string   { return []string{of.batch} }
func aSession(of things) []string { return []string{of.session} }
func aFile(of things) []string    { return []string{of.session, "f"} }
func aPolicy(of things) []string  { return []string{of.policy} }

// expectations have a row for each route.
var expectations = map[string]expectation{
	"POST /v1/runs":                      {},
	"GET /v1/runs":                       {},
	"GET /v1/runs/{id}":                  {values: aRun},
	"DELETE /v1/runs/{id}":               {values: aRun},
	"GET /v1/runs/{id}/source":           {values: aRun},
	"GET /v1/runs/{id}/events":           {values: aRun},
	"GET /v1/runs/{id}/artifacts/{name}": {values: func(of things) []string { return []string{of.run, "a.txt"} }},
	"POST /v1/runs/{id}/answers":         {values: aRun, body: `{"answers":[{"id":1,"value":["a"]}]}`},
	"POST /v1/runs/{id}/cancel":          {values: aRun},
	"POST /v1/runs/{id}/fork":            {values: aRun, body: `{"n":2}`},
	"GET /v1/runs/{id}/request":          {values: aRun},
	"GET /v1/runs/{id}/record":           {values: aRun},

	"POST /v1/sessions":                        {},
	"GET /v1/sessions":                         {},
	"GET /v1/sessions/{id}":                    {values: aSession},
	"DELETE /v1/sessions/{id}":                 {values: aSession},
	"POST /v1/sessions/{id}/save":              {values: aSession},
	"POST /v1/sessions/{id}/load":              {values: aSession, body: `{"snapshot":"snap_absent"}`},
	"POST /v1/sessions/{id}/fork":              {values: aSession, body: `{"n":2}`},
	"GET /v1/sessions/{id}/files":              {values: aSession},
	"GET /v1/sessions/{id}/files/{path...}":    {values: aFile, ids: 1},
	"PUT /v1/sessions/{id}/files/{path...}":    {values: aFile, ids: 1, body: "text"},
	"DELETE /v1/sessions/{id}/files/{path...}": {values: aFile, ids: 1},
	"GET /v1/sessions/{id}/tar":                {values: aSession},
	"PUT /v1/sessions/{id}/tar":                {values: aSession},
	"POST /v1/sessions/{id}/clone":             {values: aSession, body: `{"url":"https://example.com/a.git"}`},
	"GET /v1/snapshots":                        {},
	"DELETE /v1/snapshots/{id}":                {values: func(of things) []string { return []string{of.snapshot} }},

	"GET /v1/policies":                {},
	"GET /v1/policies/{name}":         {values: aPolicy},
	"PUT /v1/policies/{name}":         {values: aPolicy, body: "std: [fmt]"},
	"GET /v1/policies/{name}/explain": {values: aPolicy},
	"GET /v1/record":                  {},
	"POST /v1/record/verify":          {},

	"GET /v1/machine":   {},
	"GET /v1/cluster":   {},
	"GET /metrics":      {},
	"GET /openapi.json": {},
	"POST /mcp":         {},
	"GET /mcp":          {},
	"DELETE /mcp":       {},

	"POST /v1/keys":        {},
	"GET /v1/keys":         {},
	"DELETE /v1/keys/{id}": {values: func(of things) []string { return []string{of.key} }},
	"GET /v1/limits":       {},

	"POST /v1/batches":             {},
	"GET /v1/batches":              {},
	"GET /v1/batches/{id}":         {values: aBatch},
	"DELETE /v1/batches/{id}":      {values: aBatch},
	"POST /v1/batches/{id}/cancel": {values: aBatch},
	"GET /v1/batches/{id}/results": {values: aBatch},
	"GET /v1/batches/{id}/dead":    {values: aBatch},

	"GET /healthz": {},
	"GET /readyz":  {},
}

// strange are values, as a path has them, that name nothing.
var strange = map[string]string{
	"absent": "run_aaaaaaaaaaaaaaaaaaaaaaaaaa", "absent key": "0123456789abcdef", "long": strings.Repeat("a", 20_000), "zero": "%00", "zero in it": "run_%00a", "not UTF-8": "%ff",
	"unicode": "%C3%A9%E2%80%AE", "up": "..", "up, encoded": "%2e%2e", "up and up": "..%2F..%2Fv1", "empty": "", "slash": "%2F", "space": "%20",
	"quote": "%27%20OR%201%3D1--", "all": "*", "percent": "%25", "all of SQL": "%25%25", "dot": ".", "query": "a%3Fb%23c",
}

var parameters = regexp.MustCompile(`\{[^}]*\}`)

// fill puts values in the place of the parameters of a pattern.
func fill(pattern string, values []string) string {
	i := -1
	return parameters.ReplaceAllStringFunc(pattern, func(string) string { i++; return values[i] })
}

// An answer is all that a client sees of one, but for the date.
type answer struct {
	status int
	header http.Header
	body   string
}

func (r *rig) ask(t testing.TB, tenant, method, path, body string) answer {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.tokens[tenant])
	res, err := (&http.Client{Transport: r.Client().Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	res.Header.Del("Date")
	return answer{res.StatusCode, res.Header, string(text)}
}

// TestTenancy: each route answers for another tenant's thing as for an absent one and for what cannot be one: with the same bytes. The
// other tenant's thing stays as it was.
func TestTenancy(t *testing.T) {
	r := newRig(t)
	mine, theirs := r.own(t, "alpha"), r.own(t, "beta")
	mine.batch, theirs.batch = r.aBatchOf(t, "alpha"), r.aBatchOf(t, "beta")
	before := r.ask(t, "beta", "GET", "/v1/runs/"+theirs.run, "")
	absent := r.ask(t, "alpha", "GET", "/v1/no/such/path", "")
	left := maps.Clone(expectations)
	for _, route := range api.Patterns() {
		name := route.Method + " " + route.Path
		want, ok := expectations[name]
		delete(left, name)
		if !ok || (want.values == nil) != !strings.Contains(route.Path, "{") {
			t.Errorf("the route %s has no row in expectations that fits", name)
			continue
		}
		if want.values == nil {
			continue
		}
		first := r.ask(t, "alpha", route.Method, fill(route.Path, want.values(theirs)), want.body)
		if first.status != http.StatusNotFound && first.status != http.StatusForbidden {
			t.Errorf("%s of another tenant's: %d: %s", name, first.status, first.body)
		}
		goesOn := theirs
		goesOn.run = theirs.live
		if got := r.ask(t, "alpha", route.Method, fill(route.Path, want.values(goesOn)), want.body); !reflect.DeepEqual(first, got) {
			t.Errorf("%s of another tenant's run that goes on:\n%+v\nof one that waits:\n%+v", name, got, first)
		}
		for i := range cmp.Or(want.ids, len(want.values(mine))) {
			for about, value := range strange {
				values := slices.Clone(want.values(mine))
				values[i] = value
				got := r.ask(t, "alpha", route.Method, fill(route.Path, values), want.body)
				noPath := first.status == http.StatusForbidden && reflect.DeepEqual(got, absent) // a role is asked for where there is a route
				if !reflect.DeepEqual(first, got) && !noPath {
					t.Errorf("%s, parameter %d, %s:\n%+v\nanother tenant's:\n%+v", name, i, about, got, first)
				}
			}
		}
	}
	for name := range left {
		t.Errorf("there is no route %s", name)
	}
	if after := r.ask(t, "beta", "GET", "/v1/runs/"+theirs.run, ""); !reflect.DeepEqual(before, after) {
		t.Errorf("the other tenant's run was %s, is %s", before.body, after.body)
	}
	if got := r.ask(t, "beta", "GET", "/v1/runs/"+theirs.run+"/artifacts/a.txt", ""); got.status != 200 || got.body != "of beta" {
		t.Errorf("%+v", got)
	}
}
