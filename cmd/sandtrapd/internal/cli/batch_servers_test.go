package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestBatchServerKilled: one of two servers is killed in the middle of a batch that it was sent: the other one ends it, each line has one result
// at both, in order, and one outcome in the ledger, as a client of NATS reads it. SANDTRAPD_LINES is how many lines there are.
func TestBatchServerKilled(t *testing.T) {
	keys := []string{workerKey(t, t.TempDir(), "w0"), workerKey(t, t.TempDir(), "w1")}
	c := startNATS(t, keys...)
	js := c.ready()
	flags := []string{"--cluster", c.url(), "--cluster-replicas", "3"}
	dirs := []string{t.TempDir(), t.TempDir()}
	fronts := []*process{serve(t, dirs[0], flags...), serve(t, dirs[1], flags...)}
	for _, key := range keys {
		startWorker(t, c.workersURL(), key)
	}
	outcomes := watchOutcomes(t, js)
	lines := times("SANDTRAPD_LINES", 200)
	var body strings.Builder
	for i := range lines {
		fmt.Fprintf(&body, `{"id":"i%d","code":"fmt.Print(%d)"}`+"\n", i, i)
	}
	var made struct{ ID string }
	if err := json.NewDecoder(fronts[0].batch("POST", "/v1/batches?idempotency_key=k", body.String(), 202).Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		victim, other := round%2, (round+1)%2
		until(t, "lines are not done", func() bool {
			var b struct{ Counts struct{ Done int } }
			err := json.NewDecoder(fronts[other].batch("GET", "/v1/batches/"+made.ID, "", 200).Body).Decode(&b)
			return err == nil && b.Counts.Done >= lines/4*(round+1)
		})
		fronts[victim].kill()
		fronts[victim] = serve(t, dirs[victim], flags...)
		if round == 0 {
			var again struct{ ID string }
			if err := json.NewDecoder(fronts[other].batch("POST", "/v1/batches?idempotency_key=k", body.String(), 202).Body).Decode(&again); err != nil || again.ID != made.ID {
				t.Errorf("the same key has %s, %v", again.ID, err)
			}
		}
	}
	for i, p := range fronts {
		res := p.batch("GET", "/v1/batches/"+made.ID+"/results?wait=true", "", 200)
		in, n := bufio.NewScanner(res.Body), 0
		for ; in.Scan(); n++ {
			var got struct {
				Line      int
				ID, State string
				Result    struct{ Stdout string }
			}
			if err := json.Unmarshal(in.Bytes(), &got); err != nil || got.Line != n+1 || got.ID != fmt.Sprint("i", n) || got.State != "done" || got.Result.Stdout != fmt.Sprint(n) {
				t.Fatalf("result %d: %s, %v", n+1, in.Bytes(), err)
			}
		}
		if n != lines {
			t.Errorf("%d results of %d lines\n%s", n, lines, p.log)
		}
		db := database(t, filepath.Join(dirs[i], "data", "sandtrapd.db"))
		var runs, distinct int
		if err := db.QueryRow(`SELECT count(*), count(DISTINCT line) FROM run WHERE batch = ?`, made.ID).Scan(&runs, &distinct); err != nil || runs != lines || distinct != lines {
			t.Errorf("%d runs of %d lines, %v", runs, distinct, err)
		}
		db.Close()
	}
	for id, times := range outcomes(lines) {
		if times != 1 {
			t.Errorf("the outcome of %s was written %d times", id, times)
		}
	}
}
