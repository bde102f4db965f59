package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
)

func (r *rig) batch(t *testing.T, status int, method, path, body string) (b batches.Batch) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.want(t, status, "alpha", method, path, body)), &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBatch: results come in the order of the lines, each once, with the IDs of the client; the same key is the same batch, and no client has
// the key of a line; a batch is deleted with its runs.
func TestBatch(t *testing.T) {
	r := newRig(t)
	var body strings.Builder
	for i := range 50 {
		fmt.Fprintf(&body, `{"id":"item-%d","code":"fmt.Print(n*n)","inputs":{"n":%d}}`+"\n", i, i)
	}
	body.WriteString(`{"code":"panic(1)"}`)
	b := r.batch(t, 202, "POST", "/v1/batches?idempotency_key=k", body.String())
	if again := r.batch(t, 202, "POST", "/v1/batches?idempotency_key=k", body.String()); again.ID != b.ID {
		t.Errorf("the same key: %s and %s", b.ID, again.ID)
	}
	r.want(t, 409, "alpha", "POST", "/v1/batches?idempotency_key=k", `{"code":"2"}`)
	forged, _ := json.Marshal("\x01" + b.ID + "\x011")
	r.want(t, 400, "alpha", "POST", "/v1/runs", `{"code":"1","idempotency_key":`+string(forged)+`}`)
	lines := strings.Split(strings.TrimSpace(r.want(t, 200, "alpha", "GET", "/v1/batches/"+b.ID+"/results?wait=true", "")), "\n")
	if len(lines) != 51 {
		t.Fatalf("%d results", len(lines))
	}
	run := ""
	for i, text := range lines[:50] {
		var got struct {
			Line           int
			ID, Run, State string
			Result         struct{ Stdout string }
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if run = got.Run; got.Line != i+1 || got.ID != fmt.Sprint("item-", i) || got.State != "done" || got.Result.Stdout != fmt.Sprint(i*i) {
			t.Errorf("line %d: %s", i+1, text)
		}
	}
	b = r.batch(t, 200, "GET", "/v1/batches/"+b.ID+"?wait=true", "")
	if b.State != batches.Done || b.Counts != (batches.Counts{Done: 50, Failed: 1}) {
		t.Errorf("%+v", b)
	}
	r.want(t, 409, "alpha", "DELETE", "/v1/runs/"+run, "")
	r.want(t, 204, "alpha", "DELETE", "/v1/batches/"+b.ID, "")
	r.want(t, 404, "alpha", "GET", "/v1/batches/"+b.ID, "")
	r.want(t, 404, "alpha", "GET", "/v1/runs/"+run, "")
}

// TestMalformedBatch: one bad line refuses the whole batch, by its number, and nothing is kept.
func TestMalformedBatch(t *testing.T) {
	r := newRigWith(t, rigOptions{limits: "default: {queued_lines: 100}"})
	before, err := r.store.Bytes(t.Context(), "alpha")
	if err != nil {
		t.Fatal(err)
	}
	good := strings.Repeat(`{"code":"1"}`+"\n", 50)
	for bad, status := range map[string]int{
		`{"code":""}`: 400, `{"code":"1","tools":"package tools"}`: 400, `{"code":"1","policy":"none-such"}`: 400, `{"code":"1","inputs":{"a b":1}}`: 400,
		`[]`: 400, ``: 400, `{"code":"` + strings.Repeat("/", 1<<20) + `"}`: 413, good + good: 429,
	} {
		text := r.want(t, status, "alpha", "POST", "/v1/batches", good+bad+"\n"+good)
		if status != 429 && !strings.Contains(text, "line 51") {
			t.Errorf("%.50s: %s", bad, text)
		}
	}
	after, err := r.store.Bytes(t.Context(), "alpha")
	if err != nil || after != before {
		t.Errorf("%d bytes are kept, %d before, %v", after, before, err)
	}
	if text := r.want(t, 200, "alpha", "GET", "/v1/batches", ""); !strings.Contains(text, `"batches":[]`) {
		t.Error(text)
	}
}

// TestCancelBatch: no more lines begin, those that go on end, and each line has a result.
func TestCancelBatch(t *testing.T) {
	r := newRig(t)
	b := r.batch(t, 202, "POST", "/v1/batches", strings.Repeat(`{"code":"time.Sleep(time.Hour)"}`+"\n", 60))
	r.want(t, 409, "alpha", "DELETE", "/v1/batches/"+b.ID, "")
	r.batch(t, 200, "POST", "/v1/batches/"+b.ID+"/cancel", "")
	b = r.batch(t, 200, "GET", "/v1/batches/"+b.ID+"?wait=true", "")
	if b.State != batches.Cancelled || b.Ended == nil || b.Counts != (batches.Counts{Cancelled: 60}) {
		t.Errorf("%+v", b)
	}
	if n := strings.Count(r.want(t, 200, "alpha", "GET", "/v1/batches/"+b.ID+"/results", ""), `"state":"cancelled"`); n != 60 {
		t.Errorf("%d results", n)
	}
}
