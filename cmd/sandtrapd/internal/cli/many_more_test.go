package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// manyCells is how many cells each session of TestMany has.
const manyCells = 5

// ask asks for a batch at a front, another one at each try, as servers are lost meanwhile.
func (m *many) ask(method, path, body string, v any) {
	for try := range manyTries {
		p := m.fronts[try%len(m.fronts)]
		q, err := http.NewRequestWithContext(m.t.Context(), method, p.url+path, strings.NewReader(body))
		if err != nil {
			m.t.Error(err)
			return
		}
		q.Header.Set("Authorization", "Bearer "+token)
		if res, err := client.Do(q); err == nil {
			err = json.NewDecoder(res.Body).Decode(v)
			res.Body.Close()
			if err == nil && res.StatusCode < 300 {
				return
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	m.t.Errorf("%s %s: no answer", method, path)
}

// lines sends a batch of n lines, and waits for its end. The key makes it one batch.
func (m *many) lines(n int) (id string) {
	var body strings.Builder
	for i := range n {
		fmt.Fprintf(&body, `{"id":"i%d","code":"fmt.Print(`+"`line`"+`, %d)"}`+"\n", i, i)
	}
	var b struct{ ID, State string }
	for m.ask("POST", "/v1/batches?idempotency_key=many", body.String(), &b); b.State != "done" && !m.t.Failed(); {
		m.ask("GET", "/v1/batches/"+b.ID+"?wait=true", "", &b)
	}
	return b.ID
}

// checkLines: each line of a batch has one result at both fronts.
func (m *many) checkLines(id string, n int) {
	for _, p := range m.fronts {
		in, at := bufio.NewScanner(p.batch("GET", "/v1/batches/"+id+"/results?wait=true", "", http.StatusOK).Body), 0
		for ; in.Scan(); at++ {
			var got struct {
				Line   int
				State  string
				Result struct{ Stdout string }
			}
			if err := json.Unmarshal(in.Bytes(), &got); err != nil || got.Line != at+1 || got.State != "done" || got.Result.Stdout != fmt.Sprint("line", at) {
				m.t.Errorf("line %d: %s, %v", at+1, in.Bytes(), err)
			}
		}
		if at != n {
			m.t.Errorf("%d results of %d lines", at, n)
		}
	}
}

// sessions has n sessions count, each cell at another front: each cell has counted once.
func (m *many) sessions(n int) {
	var all sync.WaitGroup
	for s := range n {
		all.Go(func() {
			var made struct{ ID string }
			m.ask("POST", "/v1/sessions", "{}", &made)
			for i := range manyCells {
				code := "n++; fmt.Print(n)"
				if i == 0 {
					code = "n := 1; fmt.Print(n)"
				}
				m.cell(made.ID, fmt.Sprint("cell ", s, " ", i), code, i, fmt.Sprint(i+1))
			}
			for at := range m.fronts {
				m.cell(made.ID, fmt.Sprint("end ", s, " ", at), "fmt.Print(n)", at, fmt.Sprint(manyCells))
			}
		})
	}
	all.Wait()
}

// cell brings a cell of a session to its end, first at one front. One that has failed, as its workers were lost, has changed nothing: it is sent again as
// another one.
func (m *many) cell(session, key, code string, first int, want string) {
	body := map[string]any{"session": session, "code": code, "idempotency_key": key}
	var v view
	var err error
	for try := range manyTries {
		p := m.fronts[(first+try)%len(m.fronts)]
		v, err = p.request(m.t.Context(), "POST", "/v1/runs", body)
		if err == nil && v.status < 300 && v.State == "done" {
			break
		}
		if err == nil && v.State == "failed" {
			m.t.Logf("%s of %s has failed: %+v", body["idempotency_key"], session, v.Result.Error)
			body["idempotency_key"] = fmt.Sprint(key, " again ", try)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if v.State != "done" || v.Result.Stdout != want {
		m.t.Errorf("%s of %s: %+v, %v, want %q", key, session, v, err, want)
	}
}
