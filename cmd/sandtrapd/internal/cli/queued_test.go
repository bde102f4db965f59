package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestQueued: how long interactive runs of a tenant take before another tenant has a batch of many lines that wait, and beside that.
// SANDTRAPD_QUEUED is how many lines there are; without it nothing is measured, as a figure of a busy machine says little.
func TestQueued(t *testing.T) {
	lines := times("SANDTRAPD_QUEUED", 0)
	if lines == 0 {
		t.Skip("SANDTRAPD_QUEUED is not set")
	}
	for name, flags := range map[string][]string{"alone": nil, "cluster": {"--cluster", "embedded"}} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, t.TempDir(), flags...)
			interactive(t, p, 200) // what is made once is made
			before := interactive(t, p, 1000)
			var body strings.Builder
			for i := range lines {
				fmt.Fprintf(&body, `{"code":"fmt.Println(%d)"}`+"\n", i)
			}
			var made struct{ ID string }
			if err := json.NewDecoder(p.batch("POST", "/v1/batches", body.String(), http.StatusAccepted).Body).Decode(&made); err != nil {
				t.Fatal(err)
			}
			during := interactive(t, p, 1000)
			var b struct {
				Counts struct{ Done int }
			}
			if err := json.NewDecoder(p.batch("GET", "/v1/batches/"+made.ID, "", http.StatusOK).Body).Decode(&b); err != nil {
				t.Fatal(err)
			}
			if b.Counts.Done == 0 || b.Counts.Done == lines {
				t.Errorf("%d of %d lines were done: nothing was measured", b.Counts.Done, lines)
			}
			for _, of := range []int{50, 99} {
				a, b := before[len(before)*of/100], during[len(during)*of/100]
				t.Logf("p%d: %v before, %v beside %d lines, %.2f times as long", of, a.Round(10*time.Microsecond), b.Round(10*time.Microsecond), lines, float64(b)/float64(a))
			}
			t.Logf("%d lines were done meanwhile", b.Counts.Done)
			p.batch("POST", "/v1/batches/"+made.ID+"/cancel", "", http.StatusOK)
		})
	}
}

// interactive is how long n runs of a tenant took, of which two go on at most, the shortest first.
func interactive(t *testing.T, p *process, n int) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range n / 2 {
				began := time.Now()
				v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "fmt.Println(`hello`)"}, "Authorization", "Bearer "+token+"-2")
				if err != nil || v.State != "done" {
					t.Errorf("%v, %+v", err, v)
					return
				}
				mu.Lock()
				took = append(took, time.Since(began))
				mu.Unlock()
				time.Sleep(10 * time.Millisecond) // as one who reads it
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took
}
