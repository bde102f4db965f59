package api_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestDeleteRun: of a run that was deleted nothing is left but its lines in the record, and its bytes count no more; one that has not
// ended, or is another tenant's, stays.
func TestDeleteRun(t *testing.T) {
	w := newWorld(t, map[string]string{"notes.yaml": "std: [fmt, os]\nfs: mem\nguard: {default: allow, max_risk: critical, max_class: restricted, permissions: [file.read, file.write]}\n"})
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.data, "sandtrapd.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	count := func(query string, args ...any) (n int) {
		t.Helper()
		if err := db.QueryRow(query, args...).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	waits := w.run(alpha, runs.Request{Code: callsTool, Tools: tool})
	w.want(alpha, "DELETE", "/v1/runs/"+waits.ID, "", 409, "cancel it")
	before := count(`SELECT bytes FROM usage WHERE tenant = 'alpha'`)
	v := w.run(alpha, runs.Request{Code: "os.MkdirAll(\"artifacts\", 0o700)\nfmt.Println(os.WriteFile(\"artifacts/a.txt\", []byte(\"text\"), 0o600))", Policy: "notes"})
	if v.State != store.Done {
		t.Fatalf("%s %s", v.State, v.Result)
	}
	absent := w.want(beta, "DELETE", "/v1/runs/run_absent", "", 404, "")
	if got := w.want(beta, "DELETE", "/v1/runs/"+v.ID, "", 404, ""); got != absent {
		t.Errorf("%s is not %s", got, absent)
	}
	w.want(alpha, "GET", "/v1/runs/"+v.ID, "", 200, v.ID)
	w.want(alpha, "DELETE", "/v1/runs/"+v.ID, "", 204, "")
	for _, path := range []string{"", "/source", "/events", "/record"} {
		w.want(alpha, "GET", "/v1/runs/"+v.ID+path, "", 404, "")
	}
	w.want(alpha, "DELETE", "/v1/runs/"+v.ID, "", 404, "")
	if n := count(`SELECT (SELECT count(*) FROM run WHERE id = ?1) + (SELECT count(*) FROM artifact WHERE run = ?1)`, v.ID); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	if after := count(`SELECT bytes FROM usage WHERE tenant = 'alpha'`); after != before {
		t.Errorf("%d bytes became %d", before, after)
	}
	w.want(alpha, "GET", "/v1/record", "", 200, v.ID)
	w.want(alpha, "POST", "/v1/runs/"+waits.ID+"/cancel", "", 200, "")
	w.want(admin, "DELETE", "/v1/runs/"+waits.ID, "", 204, "")
}
