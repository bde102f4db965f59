package cli_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// until waits until something is so.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// ended reports how a server has ended that was asked to.
func (p *process) ended() {
	p.t.Helper()
	if err := p.wait(); err != nil {
		p.t.Errorf("the server ends with %v\n%s", err, p.log)
	}
}

// TestDrained: a server that gets a SIGTERM takes no more runs, keeps those that can go on later, with their answers, lets others end,
// and sends what their clients wait for.
func TestDrained(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir, "--grace", "30s")
	ctx := t.Context()
	waits, err := p.request(ctx, "POST", "/v1/runs", (&attempt{kind: "tool", tag: "waits"}).body())
	if err != nil || waits.State != "pending" {
		t.Fatal(waits, err)
	}
	// One with tools computes, as a stream; one without tools computes, as a request that waits.
	const loop = "for range 25 { x := 0; for i := range 400_000 { x += i } }\n"
	computes, err := p.open(ctx, "POST", "/v1/runs", map[string]any{
		"tools": tools, "code": "fmt.Println(`before`)\nfor range 1000 {" + loop + "}\nfmt.Println(rand.IntN(1000))\nEffect(`x`)",
	}, "Accept", "text/event-stream")
	if err != nil || computes.StatusCode != 200 {
		t.Fatal(computes, err)
	}
	defer computes.Body.Close()
	id := computes.Header.Get("X-Run-Id")
	seen := make(chan event, 100)
	go func() {
		defer close(seen)
		events(computes.Body, func(e event) { seen <- e })
	}()
	var last event
	for e := range seen {
		if last = e; e.kind == "stdout" {
			break
		}
	}
	plain := make(chan view, 1)
	go func() {
		v, err := p.request(ctx, "POST", "/v1/runs", map[string]any{"code": "fmt.Println(`plain`)\nfor range 8 {" + loop + "}\nfmt.Println(`end`)"})
		if err != nil {
			t.Error(err)
		}
		plain <- v
	}()
	until(t, "the plain run does not begin", func() bool {
		res, err := p.open(ctx, "GET", "/v1/runs?q=plain", nil)
		if err != nil {
			return false
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return strings.Contains(string(text), `"state":"running"`)
	})
	p.terminate()
	until(t, "it takes runs", func() bool {
		res, err := p.open(ctx, "POST", "/v1/runs", map[string]any{"code": "1"}, "Prefer", "respond-async")
		if err != nil {
			return true // it has ended
		}
		defer res.Body.Close()
		return res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != ""
	})
	var restart event
	for e := range seen {
		restart = e
	}
	if restart.kind != "restart" || restart.id != "" {
		t.Errorf("the stream ends with %+v", restart)
	}
	if v := <-plain; v.status != 200 || v.State != "done" || v.Result.Stdout != "plain\nend\n" {
		t.Errorf("the run without tools: %+v", v)
	}
	p.ended()

	p = serve(t, dir)
	v, err := p.request(ctx, "GET", "/v1/runs/"+id, nil)
	if err != nil || v.State != "running" {
		t.Errorf("the run that was kept: %+v, %v", v, err)
	}
	if v, err = p.request(ctx, "POST", "/v1/runs/"+id+"/cancel", nil); err != nil || v.State != "cancelled" {
		t.Errorf("the run that was kept: %+v, %v", v, err)
	}
	a := &attempt{kind: "tool", tag: "waits", id: waits.ID}
	a.check(p)
	res, err := p.open(ctx, "GET", "/v1/runs/"+id+"/events?after="+last.id, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var kinds []string
	events(res.Body, func(e event) { kinds = append(kinds, e.kind) })
	if strings.Join(kinds, " ") != "gap result" {
		t.Errorf("after what was shown: %q", kinds)
	}
}

// TestGraceOver: a run that goes on longer than the grace fails, and says why; one that waits for its turn goes on later.
func TestGraceOver(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir, "--grace", "100ms")
	endless, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "for {}"}, "Prefer", "respond-async")
	if err != nil || endless.status != http.StatusAccepted {
		t.Fatal(endless, err)
	}
	answered := make(chan view, 1)
	go func() {
		v, _ := p.request(context.WithoutCancel(t.Context()), "POST", "/v1/runs", map[string]any{"code": "for { }"})
		answered <- v
	}()
	queued := ""
	for range 3*runtime.GOMAXPROCS(0) + 4 { // more than run at a time
		v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "for { _ = 1 }"}, "Prefer", "respond-async")
		if err != nil {
			t.Fatal(err)
		}
		queued = v.ID
	}
	p.terminate()
	if v := <-answered; v.status != 200 && v.status != 202 || v.status == 200 && v.Result.Error.Kind != "interrupted" {
		t.Errorf("%+v", v)
	}
	p.ended()
	p = serve(t, dir)
	if v := p.settled(endless.ID); v.State != "failed" || v.Result.Error.Kind != "interrupted" {
		t.Errorf("%+v", v)
	}
	if v, err := p.request(t.Context(), "GET", "/v1/runs/"+queued, nil); err != nil || v.State != "running" {
		t.Errorf("one that had waited for its turn: %+v, %v", v, err)
	}
}

// TestDrainedQueue: a run that waits for another one of its session when the server ends begins at the next start.
func TestDrainedQueue(t *testing.T) {
	dir := t.TempDir()
	policies := t.TempDir()
	if err := os.WriteFile(filepath.Join(policies, "long.yaml"), []byte("limits: {timeout: 10m}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serve(t, dir, "--grace", "0s", "--policies", policies)
	session, err := p.request(t.Context(), "POST", "/v1/sessions", map[string]any{"policy": "long"})
	if err != nil || session.ID == "" {
		t.Fatal(session, err)
	}
	start := func(code string) string {
		v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": code, "session": session.ID}, "Prefer", "respond-async")
		if err != nil || v.status != 202 {
			t.Fatal(v, err)
		}
		return v.ID
	}
	first := start("fmt.Println(1); for {}")
	res, err := p.open(t.Context(), "GET", "/v1/runs/"+first+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	printed := make(chan struct{}, 1)
	go events(res.Body, func(e event) {
		if e.kind == "stdout" {
			printed <- struct{}{}
		}
	})
	<-printed
	second := start("fmt.Println(2)")
	p.terminate()
	if err := p.wait(); err != nil {
		t.Fatal(err, p.log)
	}
	p = serve(t, dir, "--policies", policies)
	if v := p.settled(first); v.State != "failed" || v.Result.Error == nil || v.Result.Error.Kind != "interrupted" {
		t.Errorf("the one that went on: %+v", v)
	}
	if v := p.settled(second); v.State != "done" || v.Result.Stdout != "2\n" {
		t.Errorf("the one that had not begun: %+v", v)
	}
}
