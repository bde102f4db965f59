package api_test

import (
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
)

// TestTiming measures whether the time of an answer tells another tenant's thing from an absent one: 10,000 requests to each route that
// names a thing of a tenant, one of another tenant's and one for an absent one in turn over one connection, whose times are compared by their
// ranks (Mann and Whitney). It takes some minutes, and runs if SANDTRAPD_TIMING is set.
func TestTiming(t *testing.T) {
	if os.Getenv("SANDTRAPD_TIMING") == "" {
		t.Skip("SANDTRAPD_TIMING is not set")
	}
	r := newRigWith(t, rigOptions{bare: true, limits: `tenants: {alpha: {runs_per_minute: 1000000}}`})
	r.own(t, "alpha")
	theirs := r.own(t, "beta")
	for i := range 200 { // so that the indexes have some depth
		r.start(t, []string{"alpha", "beta"}[i%2], `{"code":"n := 1"}`)
	}
	sum, tested := 0.0, 0
	goesOn := theirs
	goesOn.run = theirs.live
	for _, p := range api.Patterns() {
		want := expectations[p.Method+" "+p.Path]
		if want.values == nil || strings.HasPrefix(p.Path, "/v1/keys") || p.Method == "PUT" && strings.HasPrefix(p.Path, "/v1/policies") {
			continue // those for admins are refused before
		}
		for about, of := range map[string]things{"waits": theirs, "goes on": goesOn} {
			if about == "goes on" && slices.Equal(want.values(of), want.values(theirs)) {
				continue
			}
			absent := things{run: other(of.run), session: other(of.session), snapshot: other(of.snapshot), policy: other(of.policy)}
			z, foreign, none := r.compare(t, p, fill(p.Path, want.values(of)), fill(p.Path, want.values(absent)), want.body, 5000)
			t.Logf("%-4s %-36s %-8s another tenant's %v, absent %v, z = %+.2f", p.Method, p.Path, about, foreign, none, z)
			sum += z
			if tested++; math.Abs(z) > 4 { // one in 16,000 by chance
				t.Errorf("%s %s: a difference shows", p.Method, p.Path)
			}
		}
	}
	if z := sum / math.Sqrt(float64(tested)); math.Abs(z) > 4 {
		t.Errorf("over all routes a difference shows: z = %+.2f", z)
	} else {
		t.Logf("over all %d, z = %+.2f", tested, z)
	}
}

// other is an absent name, as near to one that is there as those of the tenant are.
func other(name string) string {
	return name[:len(name)-1] + map[bool]string{true: "b", false: "a"}[strings.HasSuffix(name, "a")]
}

// compare makes n pairs of requests in turn, each in an order of its own, since the server does some things every so many requests, and compares their times. It returns the z of the ranks and the medians.
func (r *rig) compare(t *testing.T, p api.Pattern, a, b, body string, n int) (z float64, medianA, medianB time.Duration) {
	t.Helper()
	type sample struct {
		time  time.Duration
		first bool
	}
	var all []sample
	ask := func(path string) time.Duration {
		q, err := http.NewRequestWithContext(t.Context(), p.Method, r.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+r.tokens["alpha"])
		begin := time.Now()
		res, err := r.Client().Do(q)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		d := time.Since(begin)
		res.Body.Close()
		if err != nil || res.StatusCode != 404 {
			t.Fatal(p.Method, path, res.StatusCode, string(text), err)
		}
		return d
	}
	for range n {
		if rand.IntN(2) == 0 {
			all = append(all, sample{ask(a), true}, sample{ask(b), false})
		} else {
			x := ask(b)
			all = append(all, sample{ask(a), true}, sample{x, false})
		}
	}
	slices.SortFunc(all, func(x, y sample) int { return int(x.time - y.time) })
	var of [2][]time.Duration
	u := 0.0
	for i := 0; i < len(all); { // those that took as long have the mean of their ranks
		j := i
		for j < len(all) && all[j].time == all[i].time {
			j++
		}
		for _, s := range all[i:j] {
			if s.first {
				u += float64(i+j+1) / 2
				of[0] = append(of[0], s.time)
			} else {
				of[1] = append(of[1], s.time)
			}
		}
		i = j
	}
	m := float64(n)
	u -= m * (m + 1) / 2
	return (u - m*m/2) / math.Sqrt(m*m*(2*m+1)/12), of[0][n/2], of[1][n/2]
}
