package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func (p *process) batch(method, path, body string, status int) *http.Response {
	p.t.Helper()
	q, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := client.Do(q)
	if err != nil || res.StatusCode != status {
		p.t.Fatalf("%s %s: %v, %+v\n%s", method, path, err, res, p.log)
	}
	p.t.Cleanup(func() { res.Body.Close() })
	return res
}

// TestBatchKilled: a server that is killed in the middle of a batch, and drained once, goes on with it: each line has one result, in the order
// of the lines, and one run, as the database says. SANDTRAPD_LINES is how many lines there are.
func TestBatchKilled(t *testing.T) {
	lines := 600
	if text := os.Getenv("SANDTRAPD_LINES"); text != "" {
		lines, _ = strconv.Atoi(text)
	}
	dir := t.TempDir()
	p := serve(t, dir)
	var body strings.Builder
	for i := range lines {
		fmt.Fprintf(&body, `{"id":"i%d","code":"fmt.Print(%d)"}`+"\n", i, i)
	}
	var made struct{ ID string }
	if err := json.NewDecoder(p.batch("POST", "/v1/batches", body.String(), 202).Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	done := func(n int) {
		until(t, "lines are not done", func() bool {
			var b struct{ Counts struct{ Done int } }
			err := json.NewDecoder(p.batch("GET", "/v1/batches/"+made.ID, "", 200).Body).Decode(&b)
			return err == nil && b.Counts.Done >= n
		})
	}
	done(lines / 4)
	p.kill()
	p = serve(t, dir, "--grace", "30s")
	done(lines / 2)
	p.terminate()
	p.ended()
	p = serve(t, dir)
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
	db := database(t, filepath.Join(dir, "data", "sandtrapd.db"))
	defer db.Close()
	var runs, distinct int
	if err := db.QueryRow(`SELECT count(*), count(DISTINCT line) FROM run WHERE batch = ?`, made.ID).Scan(&runs, &distinct); err != nil || runs != lines || distinct != lines {
		t.Errorf("%d runs of %d lines, %v", runs, distinct, err)
	}
}
