package cli_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver, to look at the database beside the server
)

// An attempt is a run that a client has asked for, with what it knows of it.
type attempt struct {
	kind, tag string
	id        string // empty as long as it is not acknowledged
	state     string // the last one that was acknowledged
	answered  int    // answers that were acknowledged
	last      string // the id of the last event
	text      string // output of the events
}

const tools = "package tools\nfunc Effect(tag string) (string, error)"

// kinds are the scripts of the clients. Each prints its tag, which no other has.
var kinds = map[string]string{
	"short":  "fmt.Println(%q)",
	"async":  "fmt.Println(%q)\nx := 0\nfor i := range 3_000_000 { x += i }\nfmt.Println(x)",
	"keyed":  "fmt.Println(%q)",
	"tool":   "tag := %q\nfmt.Println(tag)\nfor range 2 { s, err := Effect(tag); fmt.Println(s, err) }",
	"stream": "tag := %q\nfor i := range 40 { fmt.Println(tag, i, rand.IntN(1000)); x := 0; for j := range 50_000 { x += j } }\ns, err := Effect(tag)\nfmt.Println(s, err)",
}

func (a *attempt) body() map[string]any {
	body := map[string]any{"code": fmt.Sprintf(kinds[a.kind], a.tag)}
	switch a.kind {
	case "tool", "stream":
		body["tools"] = tools
	case "keyed":
		body["idempotency_key"] = a.tag
	}
	return body
}

// run does what a client of that kind does, as far as the server lets it.
func (a *attempt) run(ctx context.Context, p *process) {
	switch a.kind {
	case "async":
		a.note(p.request(ctx, "POST", "/v1/runs", a.body(), "Prefer", "respond-async"))
	case "stream":
		res, err := p.open(ctx, "POST", "/v1/runs", a.body(), "Accept", "text/event-stream")
		if err != nil || res.StatusCode != 200 {
			return
		}
		defer res.Body.Close()
		a.id = res.Header.Get("X-Run-Id")
		events(res.Body, func(e event) { a.see(p.t, e) })
	default:
		a.note(p.request(ctx, "POST", "/v1/runs", a.body()))
	}
	if a.kind == "tool" && a.state == "pending" {
		a.answer(ctx, p, 1)
	}
}

// note notes what a response acknowledges.
func (a *attempt) note(v view, err error) {
	if err == nil && v.status < 300 {
		a.id, a.state = v.ID, v.State
	}
}

func (a *attempt) see(t testing.TB, e event) {
	if e.id != "" {
		a.last = e.id
	}
	if e.kind == "stdout" {
		a.text += e.printed(t)
	}
}

// answer answers a call, with a value that tells it from others.
func (a *attempt) answer(ctx context.Context, p *process, call int) {
	v, err := p.request(ctx, "POST", "/v1/runs/"+a.id+"/answers", map[string]any{
		"answers": []any{map[string]any{"id": call, "value": a.value(call)}},
	})
	if a.note(v, err); err == nil && v.status < 300 {
		a.answered = call
	}
}

func (a *attempt) value(call int) string { return fmt.Sprint("answer ", call, " of ", a.tag) }

// check looks at a run that was acknowledged after a kill, and brings it to its end.
func (a *attempt) check(p *process) {
	t := p.t
	v := p.settled(a.id)
	interrupted := v.State == "failed" && v.Result.Error != nil && v.Result.Error.Kind == "interrupted"
	switch a.kind {
	case "short", "keyed":
		if v.State != "done" && (a.state == "done" || !interrupted) || v.State == "done" && v.Result.Stdout != a.tag+"\n" {
			t.Errorf("%s %s was acknowledged as %q, and is %+v", a.kind, a.id, a.state, v)
		}
	case "async":
		if v.State != "done" && !interrupted || v.State == "done" && v.Result.Stdout != a.tag+"\n4499998500000\n" {
			t.Errorf("async %s: %+v", a.id, v)
		}
	default:
		a.checkTool(p, v)
	}
}

// checkTool looks at a run that has a tool: it is never interrupted, and each answer that was acknowledged comes once.
func (a *attempt) checkTool(p *process, v view) {
	t := p.t
	calls := map[string]int{"tool": 2, "stream": 1}[a.kind]
	for v.State == "pending" {
		if len(v.Pending) != 1 || v.Pending[0].ID <= a.answered {
			t.Errorf("%s %s waits for %v, and the answer to %d was acknowledged", a.kind, a.id, v.Pending, a.answered)
			return
		}
		a.answer(t.Context(), p, v.Pending[0].ID)
		v = p.settled(a.id)
	}
	if a.kind == "tool" {
		want := a.tag + "\n"
		for call := range calls {
			want += a.value(call+1) + " <nil>\n"
		}
		if v.State != "done" || v.Result.Stdout != want {
			t.Errorf("%s: %+v, want %q", a.id, v, want)
		}
	}
	res, err := p.open(t.Context(), "GET", "/v1/runs/"+a.id+"/events?after="+a.last, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	kind := ""
	events(res.Body, func(e event) {
		if before, _ := strconv.Atoi(a.last); e.id != strconv.Itoa(before+1) {
			t.Errorf("%s: event %s comes after %s", a.id, e.id, a.last)
		}
		a.see(t, e)
		kind = e.kind
	})
	if v.State != "done" || kind != "result" || a.text != v.Result.Stdout || !strings.HasSuffix(a.text, a.value(calls)+" <nil>\n") {
		t.Errorf("%s %s: %s, events end with %q, and have\n%q, and the result\n%q", a.kind, a.id, v.State, kind, a.text, v.Result.Stdout)
	}
}

// TestKilled: a server that is killed under load has lost nothing that it has acknowledged when it is started again: each run has an
// outcome, and none has two. SANDTRAPD_KILLS is how often it is killed.
func TestKilled(t *testing.T) { killed(t, 5) }

// TestKilledCluster: so it is with a server whose runs are jobs of a cluster, and are in its ledger.
func TestKilledCluster(t *testing.T) { killed(t, 2, "--cluster", "embedded") }

func killed(t *testing.T, kills int, flags ...string) {
	if text := os.Getenv("SANDTRAPD_KILLS"); text != "" {
		kills, _ = strconv.Atoi(text)
	}
	dir := t.TempDir()
	count := map[string]int{}
	for n := range kills {
		p := serve(t, dir, flags...)
		attempts := load(p, n)
		p = serve(t, dir, flags...)
		for _, a := range attempts {
			if a.kind == "keyed" { // whatever has become of the first request
				id := a.id
				a.note(p.request(t.Context(), "POST", "/v1/runs", a.body()))
				if a.id == "" || id != "" && a.id != id {
					t.Errorf("key %s: run %q, and then %q", a.tag, id, a.id)
				}
			}
			if a.id == "" {
				count["not acknowledged"]++
				continue
			}
			count[a.kind]++
			a.check(p)
		}
		p.kill()
		if t.Failed() {
			t.Fatalf("after kill %d\n%s", n+1, p.log)
		}
	}
	t.Log(count)
	checkDatabase(t, filepath.Join(dir, "data", "sandtrapd.db"))
}

// load has clients make runs until the server is killed.
func load(p *process, round int) (attempts []*attempt) {
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	var mu sync.Mutex
	var clients sync.WaitGroup
	gone := make(chan struct{})
	for kind := range kinds {
		for c := range 2 {
			clients.Go(func() {
				for i := range 200 { // a bound, which is not met
					a := &attempt{kind: kind, tag: fmt.Sprintf("%s-%d-%d-%d", kind, round, c, i)}
					mu.Lock()
					attempts = append(attempts, a)
					mu.Unlock()
					a.run(ctx, p)
					select {
					case <-gone:
						return
					default:
					}
				}
			})
		}
	}
	time.Sleep(50*time.Millisecond + time.Duration(rand.IntN(400))*time.Millisecond)
	close(gone)
	p.kill()
	clients.Wait()
	return attempts
}

// database opens the database beside the server.
func database(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// checkDatabase looks at the database itself: nothing goes on, and no script was begun twice.
func checkDatabase(t *testing.T, path string) {
	t.Helper()
	db := database(t, path)
	defer db.Close()
	var running, all, scripts int
	err := db.QueryRow(`SELECT sum(state = 'running'), count(*), count(DISTINCT code) FROM run`).Scan(&running, &all, &scripts)
	if err != nil || running != 0 || all != scripts {
		t.Errorf("%d runs of %d scripts, %d go on; %v", all, scripts, running, err)
	}
	var check string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Errorf("%s, %v", check, err)
	}
	t.Logf("%d runs", all)
}
