package api_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

var isolation = flag.String("isolation", "none", "of TestThousand, TestAborted and the benchmarks")

// TestThousand: a thousand runs at once are all right, each with its own result.
func TestThousand(t *testing.T) {
	r := newRigWith(t, rigOptions{isolation: sandtrap.Isolation(*isolation)})
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	defer client.CloseIdleConnections()
	var clients sync.WaitGroup
	begin := time.Now()
	for i := range 1000 {
		clients.Go(func() {
			body := fmt.Sprintf(`{"code":"x := 0\nfor i := range n { x += i }\nfmt.Println(x)\n// %d","inputs":{"n":%d}}`, i, i)
			q, err := http.NewRequestWithContext(t.Context(), "POST", r.URL+"/v1/runs", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			q.Header.Set("Authorization", "Bearer "+r.tokens[[]string{"alpha", "beta"}[i%2]])
			res, err := client.Do(q)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			var v struct {
				State  string
				Result struct{ Stdout string }
			}
			if err := json.NewDecoder(res.Body).Decode(&v); err != nil || v.State != "done" || v.Result.Stdout != fmt.Sprintln(i*(i-1)/2) {
				t.Errorf("run %d: %d, %+v, %v", i, res.StatusCode, v, err)
			}
		})
	}
	clients.Wait()
	t.Logf("1,000 runs in %v", time.Since(begin))
	for _, tenant := range []string{"alpha", "beta"} {
		list, _, err := r.store.Runs(t.Context(), store.Query{Tenant: tenant, Limit: 1000, States: []store.State{store.Done}})
		if err != nil || len(list) != 500 {
			t.Errorf("%s: %d runs, %v", tenant, len(list), err)
		}
	}
}

// TestTimeFromBegin: the time of a run begins with its turn, and not before.
func TestTimeFromBegin(t *testing.T) {
	r := newRig(t)
	var clients sync.WaitGroup
	for range 40 { // of which two for each processor run at a time, for 50 ms each
		clients.Go(func() {
			status, text := r.do(t, "alpha", "POST", "/v1/runs", `{"code":"for {}","timeout_ms":50}`)
			if status != 200 || !strings.Contains(text, `"kind":"timeout"`) {
				t.Errorf("%d: %s", status, text)
			}
		})
	}
	clients.Wait()
	list, _, err := r.store.Runs(t.Context(), store.Query{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range list {
		if run.Duration < 50*time.Millisecond {
			t.Errorf("a run ended after %v", run.Duration)
		}
	}
}

// TestSlowReaders: readers that do not read hold up neither the run nor those that do, and who comes later gets what is kept, and is told
// how much is not.
func TestSlowReaders(t *testing.T) {
	r := newRig(t)
	v := r.start(t, "alpha", `{"code":"line := strings.Repeat(\"x\", 1000)\ns, err := Wait()\nfor i := range 6000 { fmt.Println(i, line) }\nfmt.Println(s, err)","tools":"package tools\nfunc Wait() (string, error)"}`)
	for range 8 {
		res, err := r.open(t.Context(), t, "GET", "/v1/runs/"+v.ID+"/events", "")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close() // and nobody reads
	}
	answer := `{"answers":[{"id":1,"value":"end"}]}`
	if status, text := r.doHeaders(t, "POST", "/v1/runs/"+v.ID+"/answers", answer, "Prefer", "respond-async"); status != 202 {
		t.Fatal(status, text)
	}
	var slow []*http.Response
	for range 8 {
		res, err := r.open(t.Context(), t, "GET", "/v1/runs/"+v.ID+"/events?after=3", "")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		slow = append(slow, res)
	}
	r.the(t, store.Done)
	res, err := r.open(t.Context(), t, "GET", "/v1/runs/"+v.ID+"/events", "", "Last-Event-ID", "3")
	if err != nil {
		t.Fatal(err)
	}
	list := readEvents(t, res.Body)
	if first := list[0]; first.kind != "gap" || !strings.Contains(first.data, `"events":`) {
		t.Errorf("first %s %s", first.kind, first.data)
	}
	inOrder(t, list)
	if last := list[len(list)-1]; last.kind != "result" || !strings.Contains(list[len(list)-2].data, "end <nil>") {
		t.Errorf("last %s", last.kind)
	}
	for _, res := range slow { // those that read at last get all there is, in order
		list := readEvents(t, res.Body)
		inOrder(t, list)
		if len(list) == 0 || list[len(list)-1].kind != "result" {
			t.Errorf("%d events", len(list))
		}
	}
}

// An event is one of a stream.
type event struct {
	id         int64
	kind, data string
}

func readEvents(t testing.TB, body io.Reader) (list []event) {
	t.Helper()
	in := bufio.NewScanner(body)
	in.Buffer(nil, 16<<20)
	var e event
	for in.Scan() {
		switch name, value, _ := strings.Cut(in.Text(), ": "); name {
		case "id":
			fmt.Sscan(value, &e.id)
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "":
			list = append(list, e)
			e = event{}
		}
	}
	return list
}

// inOrder checks that each event comes after the one before, and that nothing but a gap is between them.
func inOrder(t testing.TB, list []event) {
	t.Helper()
	for i, e := range list[1:] {
		if e.id != list[i].id+1 && e.kind != string(runs.EventGap) {
			t.Errorf("event %d, %s, comes after %d", e.id, e.kind, list[i].id)
		}
	}
}
