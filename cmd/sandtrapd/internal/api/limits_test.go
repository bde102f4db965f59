package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
)

// atOnce makes n requests at once, and counts the answers by their status.
func (r *rig) atOnce(t *testing.T, n int, tenant, method, path, body string) map[int]int {
	t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	counts := map[int]int{}
	for range n {
		group.Go(func() {
			got := r.ask(t, tenant, method, path, body)
			mu.Lock()
			defer mu.Unlock()
			counts[got.status]++
			if got.status != 200 && (got.status != 429 || !strings.Contains(got.body, `"code":"limit"`)) {
				t.Errorf("%d: %s", got.status, got.body)
			}
		})
	}
	group.Wait()
	return counts
}

// TestLimits: of many runs that begin at once as many begin as a limit lets, and no more are in the database.
func TestLimits(t *testing.T) {
	for _, test := range []struct{ name, file, body, field string }{
		{"per minute", `default: {runs_per_minute: 10}`, `{"code":"n := 1"}`, "runs_per_minute"},
		{"pending", `default: {pending_runs: 10}`, `{"code":"Search(\"a\")","tools":"` + tools + `"}`, "pending_runs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRigWith(t, rigOptions{limits: test.file})
			begin := time.Now()
			counts := r.atOnce(t, 1000, "alpha", "POST", "/v1/runs", test.body)
			most := int64(10)
			if test.field == "runs_per_minute" { // one more each 6 s
				most += int64(time.Since(begin) / (6 * time.Second))
			}
			if n := r.count(t, `SELECT count(*) FROM run`); n < 10 || n > most || counts[200] != int(n) || counts[429] != 1000-int(n) {
				t.Errorf("%d rows, answers %v", n, counts)
			}
			got := r.ask(t, "alpha", "POST", "/v1/runs", test.body)
			for n := 0; n < 100 && got.status == 200 && test.field == "runs_per_minute"; n++ {
				got = r.ask(t, "alpha", "POST", "/v1/runs", test.body)
			}
			after := got.header.Get("Retry-After")
			if got.status != 429 || !strings.Contains(got.body, `"field":"`+test.field+`"`) || (after != "") != (test.field == "runs_per_minute") {
				t.Errorf("%d, Retry-After %q: %s", got.status, after, got.body)
			}
			if got := r.ask(t, "beta", "POST", "/v1/runs", test.body); got.status != 200 {
				t.Errorf("another tenant: %d: %s", got.status, got.body)
			}
		})
	}
}

// TestRunsAtOnce: no more runs go on than the limit lets, and there is room again when one has ended.
func TestRunsAtOnce(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: `default: {runs_at_once: 3}`})
	var ids []string
	for range 3 {
		ids = append(ids, r.goOn(t, "alpha"))
	}
	for range 50 {
		if got := r.ask(t, "alpha", "POST", "/v1/runs", `{"code":"n := 1","idempotency_key":"k"}`); got.status != 429 || got.header.Get("Retry-After") != "1" {
			t.Fatalf("%d: %s", got.status, got.body)
		}
	}
	if n := r.count(t, `SELECT count(*) FROM run`); n != 3 {
		t.Errorf("%d rows", n)
	}
	var use limits.Use
	if err := json.Unmarshal([]byte(r.ask(t, "alpha", "GET", "/v1/limits", "").body), &use); err != nil || use.RunsAtOnce != (limits.Amount{Limit: 3, Used: 3}) {
		t.Errorf("%+v, %v", use, err)
	}
	if got := r.ask(t, "alpha", "POST", "/v1/runs/"+ids[0]+"/cancel", ""); got.status != 200 {
		t.Fatalf("%d: %s", got.status, got.body)
	}
	for range 20 { // each gives its place back before it is answered
		if got := r.ask(t, "alpha", "POST", "/v1/runs", `{"code":"n := 1"}`); got.status != 200 {
			t.Fatalf("%d: %s", got.status, got.body)
		}
	}
}

// TestBytes: no run begins that would have more kept of the tenant than it may have. What is there can be read, and a repeated request
// gets its run.
func TestBytes(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: `default: {bytes: 20000}`})
	once := `{"code":"n := 1","idempotency_key":"once"}`
	first := r.ask(t, "alpha", "POST", "/v1/runs", once)
	big := fmt.Sprintf(`{"code":"n := 1 // %s"}`, strings.Repeat("a", 3000))
	counts := r.atOnce(t, 100, "alpha", "POST", "/v1/runs", big)
	sum := r.count(t, `SELECT sum(length(CAST(code AS BLOB)) + length(request)) FROM run`)
	if counts[200] < 1 || sum > 20_000 || counts[429] == 0 {
		t.Errorf("%v, %d bytes", counts, sum)
	}
	got := r.ask(t, "alpha", "POST", "/v1/runs", big)
	if got.status != 429 || !strings.Contains(got.body, `"field":"bytes"`) || got.header.Get("Retry-After") != "" {
		t.Errorf("%d, %v: %s", got.status, got.header, got.body)
	}
	if again := r.ask(t, "alpha", "POST", "/v1/runs", once); again.status != 200 || again.body != first.body {
		t.Errorf("%d: %s", again.status, again.body)
	}
}

// TestForks: forks count as runs that wait.
func TestForks(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: `default: {pending_runs: 4}`})
	mine := r.own(t, "alpha").run
	for _, test := range []struct{ n, status, rows int }{{4, 429, 2}, {2, 201, 4}, {1, 201, 5}, {1, 429, 5}} {
		got := r.ask(t, "alpha", "POST", "/v1/runs/"+mine+"/fork", fmt.Sprintf(`{"n":%d}`, test.n))
		if n := r.count(t, `SELECT count(*) FROM run`); got.status != test.status || n != int64(test.rows) {
			t.Errorf("%+v: %d, %d rows: %s", test, got.status, n, got.body)
		}
	}
	if got := r.ask(t, "alpha", "POST", "/v1/runs/"+mine+"/answers", `{"answers":[{"id":1,"value":["a"]}]}`); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if got := r.ask(t, "alpha", "POST", "/v1/runs", `{"code":"Search(\"a\")","tools":"`+tools+`"}`); got.status != 200 {
		t.Errorf("after one has ended: %d: %s", got.status, got.body)
	}
}

// TestRateOfTools: tools that a tenant sends are not compiled for a run that may not begin, and those that cannot be compiled count too.
func TestRateOfTools(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: `default: {runs_per_minute: 2}`})
	for i, want := range []int{400, 400, 429} {
		body := fmt.Sprintf(`{"code":"n := 1","tools":"package tools // %d\nfunc Search(query chan int)"}`, i)
		if got := r.ask(t, "alpha", "POST", "/v1/runs", body); got.status != want {
			t.Errorf("%d: %d: %s", i, got.status, got.body)
		}
	}
}

// TestRateOfForks: forks are runs that begin, each of them.
func TestRateOfForks(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: `default: {runs_per_minute: 8}`})
	mine := r.start(t, "alpha", `{"code":"Search(\"a\")","tools":"`+tools+`"}`)
	for _, test := range []struct{ n, status, rows int }{{9, 429, 1}, {5, 201, 6}, {5, 429, 6}} {
		got := r.ask(t, "alpha", "POST", "/v1/runs/"+mine.ID+"/fork", fmt.Sprintf(`{"n":%d}`, test.n))
		if n := r.count(t, `SELECT count(*) FROM run`); got.status != test.status || n != int64(test.rows) || (got.header.Get("Retry-After") != "") != (test.n == 5 && test.status == 429) {
			t.Errorf("%+v: %d, %d rows: %s", test, got.status, n, got.body)
		}
	}
}

// TestLongKey: a key of 256 bytes begins a run, and a longer one none.
func TestLongKey(t *testing.T) {
	r := newRig(t)
	for _, test := range []struct{ n, status, rows int }{{256, 200, 1}, {257, 400, 1}} {
		got := r.ask(t, "alpha", "POST", "/v1/runs", fmt.Sprintf(`{"code":"n := 1","idempotency_key":"%s"}`, strings.Repeat("k", test.n)))
		if n := r.count(t, `SELECT count(*) FROM run`); got.status != test.status || n != int64(test.rows) {
			t.Errorf("%d bytes: %d, %d rows: %s", test.n, got.status, n, got.body)
		}
	}
}

// TestTurn: a run that was acknowledged, and whose turn comes when the others of its tenant have used up its time, has failed and says so.
func TestTurn(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: `default: {run_seconds_per_hour: 1}`})
	var group sync.WaitGroup
	for range 60 {
		group.Go(func() {
			got := r.ask(t, "alpha", "POST", "/v1/runs", `{"code":"time.Sleep(700 * time.Millisecond)"}`)
			if got.status != 200 && got.status != 429 {
				t.Errorf("%d: %s", got.status, got.body)
			}
		})
	}
	group.Wait()
	began := r.count(t, `SELECT count(*) FROM run WHERE state = 'done'`)
	late := r.count(t, `SELECT count(*) FROM run WHERE state = 'failed' AND kind = 'limit'`)
	if all := r.count(t, `SELECT count(*) FROM run`); late < 1 || began+late != all {
		t.Errorf("%d runs, %d done, %d late", all, began, late)
	}
}
