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

// queuedRounds is how often TestQueued measures without a batch and beside one, in turn: what else the machine does meanwhile is in both.
const queuedRounds = 4

// TestQueued: how long interactive runs of a tenant take while no other tenant has anything, and beside another tenant's batch of many lines that wait.
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
			var before, during []time.Duration
			done := 0
			for range queuedRounds {
				before = append(before, interactive(t, p, 400)...)
				id := p.queue(lines)
				time.Sleep(time.Second) // as long as after it
				had := p.linesDone(id)
				during = append(during, interactive(t, p, 400)...)
				has := p.linesDone(id)
				if done += has - had; has == had || has == lines {
					t.Errorf("%d of %d lines were done, %d of them before: nothing was measured", has, lines, had)
				}
				p.batch("POST", "/v1/batches/"+id+"/cancel", "", http.StatusOK)
				p.batch("GET", "/v1/batches/"+id+"?wait=true", "", http.StatusOK)
				time.Sleep(time.Second)
			}
			slices.Sort(before)
			slices.Sort(during)
			for _, of := range []int{50, 90, 99} {
				a, b := before[len(before)*of/100], during[len(during)*of/100]
				t.Logf("p%d: %v without, %v beside %d lines, %.2f times as long", of, a.Round(10*time.Microsecond), b.Round(10*time.Microsecond), lines, float64(b)/float64(a))
			}
			t.Logf("%d lines were done meanwhile", done)
		})
	}
}

// queue sends a batch of n lines.
func (p *process) queue(n int) (id string) {
	p.t.Helper()
	var body strings.Builder
	for i := range n {
		fmt.Fprintf(&body, `{"code":"fmt.Println(%d)"}`+"\n", i)
	}
	var made struct{ ID string }
	if err := json.NewDecoder(p.batch("POST", "/v1/batches", body.String(), http.StatusAccepted).Body).Decode(&made); err != nil {
		p.t.Fatal(err)
	}
	return made.ID
}

// linesDone is how many lines of a batch have ended well.
func (p *process) linesDone(id string) int {
	p.t.Helper()
	var b struct{ Counts struct{ Done int } }
	if err := json.NewDecoder(p.batch("GET", "/v1/batches/"+id, "", http.StatusOK).Body).Decode(&b); err != nil {
		p.t.Fatal(err)
	}
	return b.Counts.Done
}

// interactive is how long n runs of a tenant took, of which two go on at most.
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
	return took
}
