package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// events are those of a page of the record.
func (w *world) events(key, path string) (list []record.Event) {
	w.t.Helper()
	var page struct{ Events []record.Event }
	if err := json.Unmarshal([]byte(w.want(key, "GET", path, "", 200, `"events":[`)), &page); err != nil {
		w.t.Fatal(err)
	}
	return page.Events
}

// TestRecordTenants: a tenant reads what is recorded of its own runs, an operator of all, and that of another run is as none.
func TestRecordTenants(t *testing.T) {
	w := newWorld(t, nil)
	of := map[string]string{}
	for _, key := range []string{alpha, beta} {
		of[key] = w.run(key, runs.Request{Code: `os.WriteFile("/work/a", nil, 0o600)`}).ID
	}
	for _, path := range []string{"/v1/record", "/v1/record?tenant=alpha", "/v1/record?run=" + of[beta], "/v1/record?run=*", "/v1/record?member=*&limit=200"} {
		for _, e := range w.events(alpha, path) {
			if e.Tenant != "alpha" || e.Run != of[alpha] || e.Process != 0 {
				t.Errorf("%s: %+v", path, e)
			}
		}
	}
	for _, tenant := range []string{"*", "beta", "absent"} {
		w.want(alpha, "GET", "/v1/record?tenant="+tenant, "", 403, "role operator")
	}
	if list := w.events(alpha, "/v1/record?member=file.write&kind=decision"); len(list) != 1 || list[0].Decision != record.Allow {
		t.Errorf("%+v", list)
	}
	if list := w.events(alpha, "/v1/runs/"+of[alpha]+"/record"); len(list) != 5 || list[0].Kind != record.KindStart || list[4].Kind != record.KindEnd {
		t.Errorf("%+v", list)
	}
	absent, none := w.do(alpha, "GET", "/v1/runs/run_absent/record", "")
	if status, text := w.do(alpha, "GET", "/v1/runs/"+of[beta]+"/record", ""); status != 404 || status != absent || text != none {
		t.Errorf("%d %s; an absent one: %d %s", status, text, absent, none)
	}
	seen := map[string]bool{}
	for _, e := range w.events(operator, "/v1/record?tenant=*&limit=200") {
		seen[e.Tenant] = true
	}
	if !seen["alpha"] || !seen["beta"] {
		t.Errorf("an operator sees %v", seen)
	}
	if list := w.events(operator, "/v1/runs/"+of[alpha]+"/record"); len(list) != 5 || list[0].Tenant != "alpha" {
		t.Errorf("an operator sees %v of a run", list)
	}
	if list := w.events(operator, "/v1/record"); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	for path, part := range map[string]string{"?kind=x": "no kind", "?since=x": "want a time", "?limit=1000": "1 to 200", "?cursor=x": "next_cursor"} {
		w.want(alpha, "GET", "/v1/record"+path, "", 400, part)
	}
	w.want(alpha, "POST", "/v1/record/verify", "", 403, "operator")
	w.want(operator, "POST", "/v1/record/verify", "", 200, `{"ok":true,"files":1,"first":1,`)
}

// TestRecordFails: where the record cannot be written no call is made, and the run ends.
func TestRecordFails(t *testing.T) {
	var requests atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer site.Close()
	w := newWorld(t, map[string]string{
		"web.yaml": "std: [fmt, net/http]\nguard: {record_may_fail: true}\nnetwork: {rules: [\"GET " + site.URL + " loopback\"]}\n",
	})
	get := runs.Request{Code: fmt.Sprintf("r, err := http.Get(%q)\nfmt.Println(r != nil, err)", site.URL), Policy: "web"}
	if v := w.run(alpha, get); v.State != store.Done || requests.Load() != 1 {
		t.Fatalf("%s: %s, %d requests", v.State, v.Result, requests.Load())
	}
	if err := w.trail.Close(); err != nil {
		t.Fatal(err)
	}
	if v := w.run(alpha, get); v.State != store.Failed || requests.Load() != 1 || !strings.Contains(string(v.Result), "record") {
		t.Errorf("%s: %s, %d requests", v.State, v.Result, requests.Load())
	}
	if v := w.run(alpha, runs.Request{Code: "fmt.Println(1)"}); v.State != store.Failed {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestRefusedRequests: each run has its own refused requests in its result, while others go on.
func TestRefusedRequests(t *testing.T) {
	w := newWorld(t, map[string]string{
		"web.yaml":  "std: [fmt, net/http]\nnetwork: {rules: [\"GET https://a.example\"]}\n",
		"asks.yaml": "std: [fmt, net/http]\nnetwork: {rules: [\"GET https://a.example\"]}\nguard: {ask: [net/http.Request]}\n",
	})
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			code := fmt.Sprintf("for i := range 5 { _, err := http.Get(fmt.Sprintf(\"https://h%d-%%d.example/\", i)); if err == nil { panic(0) } }", i)
			v := w.run([]string{alpha, beta}[i%2], runs.Request{Code: code, Policy: "web"})
			var res struct{ Refused []struct{ Member string } }
			if err := json.Unmarshal(v.Result, &res); err != nil || len(res.Refused) != 5 {
				t.Errorf("%v: %s", err, v.Result)
			}
			for j, r := range res.Refused {
				if want := fmt.Sprintf("GET https://h%d-%d.example/", i, j); r.Member != want {
					t.Errorf("%s, want %s", r.Member, want)
				}
			}
		})
	}
	group.Wait()
	w.refusal(alpha, runs.Request{Code: "1", Policy: "web", Tools: tool}, "has a network, so its runs cannot wait")
	v := w.run(alpha, runs.Request{Code: "_, err := http.Get(\"https://a.example/\")\nfmt.Println(err)", Policy: "asks"})
	if v.State != store.Done || !strings.Contains(string(v.Result), "a run whose policy has a network cannot wait") {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// An sse is an event of a stream.
type sse struct {
	Kind string
	Data string
}

// stream are the events of a run.
func (w *world) stream(key, run string) (list []sse) {
	w.t.Helper()
	_, text := w.do(key, "GET", "/v1/runs/"+run+"/events", "")
	for part := range strings.SplitSeq(text, "\n\n") {
		lines := strings.SplitN(part, "\n", 3)
		if len(lines) == 3 {
			list = append(list, sse{strings.TrimPrefix(lines[1], "event: "), strings.TrimPrefix(lines[2], "data: ")})
		}
	}
	return list
}

// TestSteps: the events of a run have its decisions and calls in order, with their ends, and without secrets.
func TestSteps(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	defer site.Close()
	w := newWorld(t, map[string]string{"web.yaml": "std: [fmt, io, net/http]\nnetwork: {rules: [\"GET " + site.URL + " loopback\"]}\n"})
	v := w.run(alpha, runs.Request{Policy: "web", Code: fmt.Sprintf("r, err := http.Get(%q)\nif err != nil { panic(err) }\ntext, _ := io.ReadAll(r.Body)\nr.Body.Close()\nfmt.Println(string(text))\n_, _ = http.Get(\"https://b.example/\")", site.URL+"/x?token=hunter2")})
	kinds := ""
	for _, e := range w.stream(alpha, v.ID) {
		kinds += e.Kind
		for _, part := range []string{"decision", "phase"} {
			if _, after, ok := strings.Cut(e.Data, `"`+part+`":"`); ok {
				kinds += ":" + after[:strings.IndexByte(after, '"')]
			}
		}
		kinds += " "
		if strings.Contains(e.Data, "hunter2") && e.Kind != "result" {
			t.Errorf("%s: %s", e.Kind, e.Data)
		}
		if e.Kind == "call" && strings.Contains(e.Data, `"end"`) && !(strings.Contains(e.Data, `"status":200`) && strings.Contains(e.Data, `"duration_ms":`)) {
			t.Error(e.Data)
		}
		if e.Kind == "decision" && strings.Contains(e.Data, "deny") && !strings.Contains(e.Data, `"code":"policy"`) {
			t.Error(e.Data)
		}
	}
	if want := "start decision:allow call:begin call:end stdout decision:deny result "; kinds != want {
		t.Errorf("%s\nwant %s", kinds, want)
	}
}

// TestStepsOfTools: a call of a tool begins before the pause, and ends with the answer of the client; long arguments are left out.
func TestStepsOfTools(t *testing.T) {
	w := newWorld(t, nil)
	v := w.run(alpha, runs.Request{Code: `fmt.Println(Send("p", "hunter2"))` + "\n" + `fmt.Println(Send(strings.Repeat("x", 10_000), ""))`, Tools: "package tools\nfunc Send(text, password string) error"})
	w.want(alpha, "POST", "/v1/runs/"+v.ID+"/answers", `{"answers":[{"id":1,"error":"no"}]}`, 200, `"pending"`)
	kinds := ""
	for _, e := range w.stream(alpha, v.ID) {
		if e.Kind != "stdout" {
			kinds += e.Kind + " "
		}
		if e.Kind != "pause" && strings.Contains(e.Data, "hunter2") || len(e.Data) > 5000 && e.Kind == "call" {
			t.Errorf("%s: %.100s", e.Kind, e.Data)
		}
		if strings.Contains(e.Data, `"phase":"end"`) && !strings.Contains(e.Data, `"member":"Send","at":"script.go:1","error":"no"`) {
			t.Error(e.Data)
		}
		var data struct{ Time int64 }
		if err := json.Unmarshal([]byte(e.Data), &data); err != nil || time.Since(time.UnixMilli(data.Time)).Abs() > time.Hour {
			t.Errorf("%s is at %s, %v", e.Kind, time.UnixMilli(data.Time), err)
		}
	}
	if want := "start decision call pause resume call decision call pause "; kinds != want {
		t.Errorf("%s\nwant %s", kinds, want)
	}
}

// TestStepsBounded: a run that makes very many calls has its output in its events all the same, and a note of where the others are.
func TestStepsBounded(t *testing.T) {
	w := newWorld(t, map[string]string{"long.yaml": "std: [fmt, os]\nfs: mem\nlimits: {timeout: 10m}\n"})
	v := w.run(alpha, runs.Request{Policy: "long", Code: "fmt.Println(\"first\")\nfor range 9_000 { _ = os.WriteFile(\"/work/a\", nil, 0o600) }\nfmt.Println(\"last\")"})
	if v.State != store.Done {
		t.Fatalf("%s", v.Result)
	}
	size, gaps, outputs := 0, 0, ""
	for _, e := range w.stream(alpha, v.ID) {
		switch e.Kind {
		case "decision":
			size += len(e.Data)
		case "gap":
			gaps++
			if !strings.Contains(e.Data, "/v1/runs/"+v.ID+"/record") {
				t.Error(e.Data)
			}
		case "stdout":
			outputs += e.Data
		}
	}
	if size > 700<<10 || gaps != 1 || !strings.Contains(outputs, "first") || !strings.Contains(outputs, "last") {
		t.Errorf("%d bytes of decisions, %d gaps, output %s", size, gaps, outputs)
	}
}
