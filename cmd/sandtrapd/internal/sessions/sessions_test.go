package sessions_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// serveArgs, in the environment, has this program be the server.
const serveArgs = "SANDTRAPD_SERVE"

func TestMain(m *testing.M) {
	worker.Init()
	if args := os.Getenv(serveArgs); args != "" {
		os.Exit(cli.Main(strings.Fields(args), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// discard is a record that nobody reads. As in the service, a worker goes on whose system calls are refused: the server of NATS, which is linked
// here, makes one each second.
var discard = record.Func(func(record.Event) error { return nil })

// A rig has the sessions of one data directory.
type rig struct {
	t        *testing.T
	dir      string
	store    *store.Store
	sessions *sessions.Manager
	runs     *runs.Manager
	policies *policies.Catalog
	ledger   *ledger.Ledger // nil for none
	conn     *cluster.Conn
	close    func()
}

func newRig(t *testing.T, dir string, isolation sandtrap.Isolation, o sessions.Options) *rig {
	t.Helper()
	return newServer(t, dir, isolation, o, nil)
}

// newServer is a rig whose runs and sessions are in the ledger of a server of NATS, if that is not nil.
func newServer(t *testing.T, dir string, isolation sandtrap.Isolation, o sessions.Options, n *cluster.Server) *rig {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := policies.Open("", st)
	if err != nil {
		t.Fatal(err)
	}
	o.Plans = plans.New(plans.Options{Isolation: isolation, MaxTimeout: time.Minute, Kept: 4, Workers: 16, Policies: catalog, Record: discard})
	if f, ok := o.Store.(*flaky); ok {
		f.Store = st
	} else {
		o.Store = st
	}
	r := &rig{t: t, dir: dir, store: st, policies: catalog}
	of := runs.Options{Plans: o.Plans, Store: st, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	if f, ok := o.Store.(*flaky); ok {
		of.Reached = f.reached
	}
	if n != nil {
		r.join(n, &o, &of)
	}
	r.sessions = sessions.New(o)
	of.Sessions = r.sessions
	r.runs, err = runs.New(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	if n != nil {
		err := errors.Join(r.ledger.ServeSessions(r.sessions.Idle, r.sessions.Deleted), r.ledger.Serve(r.runs.Recover, r.runs.Stop))
		if err != nil {
			t.Fatal(err)
		}
	}
	r.close = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if r.conn != nil && r.conn.IsClosed() {
			cancel()
		}
		r.runs.Drain(ctx)
		if r.ledger != nil {
			_ = r.ledger.Close() // its connection may be gone
		}
		r.sessions.Close()
		o.Plans.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(r.close)
	return r
}

func (r *rig) create(tenant string) string {
	r.t.Helper()
	v, err := r.sessions.Create(r.t.Context(), tenant, sessions.Request{})
	if err != nil {
		r.t.Fatal(err)
	}
	return v.ID
}

// run runs a cell, and gives its state and its result as JSON.
func (r *rig) run(tenant, session, code string) (store.State, string) {
	r.t.Helper()
	run, err := r.runs.Start(r.t.Context(), tenant, runs.Request{Session: session, Code: code})
	if err != nil {
		r.t.Fatal(err)
	}
	v, err := run.Wait(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return v.State, string(v.Result)
}

// prints runs a cell that has to print something.
func (r *rig) prints(tenant, session, code, want string) {
	r.t.Helper()
	if state, result := r.run(tenant, session, code); state != store.Done || !strings.Contains(result, fmt.Sprintf(`"stdout":%q`, want)) {
		r.t.Errorf("%s: %s: %s; want %q", code, state, result, want)
	}
}

// query asks the database itself for a number.
func (r *rig) query(query string, args ...any) (n int) {
	r.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(r.dir, "sandtrapd.db"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer db.Close()
	if strings.HasPrefix(query, "SELECT") {
		err = db.QueryRow(query, args...).Scan(&n)
	} else {
		_, err = db.Exec(query, args...)
	}
	if err != nil {
		r.t.Fatal(query, err)
	}
	return n
}

// TestLoadedAgain: a session that was let go, or whose server has ended, has what it had; and so it is in a worker.
func TestLoadedAgain(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		dir := t.TempDir()
		r := newRig(t, dir, isolation, sessions.Options{})
		id := r.create("a")
		r.prints("a", id, "n := 1\ntype T struct{ N *int }\nv := T{&n}\nadd := func() { n += 10 }\nif err := os.WriteFile(\"f\", []byte(\"x\"), 0o600); err != nil { panic(err) }", "")
		r.sessions.LetGo(0)
		if n := r.sessions.Live(); n != 0 {
			t.Errorf("%d sessions have workers", n)
		}
		r.prints("a", id, "add(); fmt.Print(*v.N)", "11")
		r.close()
		r = newRig(t, dir, isolation, sessions.Options{})
		r.prints("a", id, "add()\nst, err := os.Stat(\"f\")\nfmt.Print(*v.N, st.Mode(), err)", "21 -rw------- <nil>")
		r.close()
	}
}

// TestLostWorker: a cell that ends its worker says so, and the next one begins with what was kept before it, files included.
func TestLostWorker(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.Kernel, sessions.Options{})
	id := r.create("a")
	r.prints("a", id, "n := 1\nif err := os.WriteFile(\"f\", []byte(\"kept\"), 0o600); err != nil { panic(err) }", "")
	run, err := r.runs.Start(t.Context(), "a", runs.Request{Session: id, Code: "n = 2\nif err := os.WriteFile(\"f\", nil, 0o600); err != nil { panic(err) }\nfmt.Println(\"ready\")\nfor {}"})
	if err != nil {
		t.Fatal(err)
	}
	log, err := run.Events()
	if err != nil {
		t.Fatal(err)
	}
	for after := int64(0); ; { // until it has printed
		list := log.After(t.Context(), after)
		if after = list[len(list)-1].ID; list[len(list)-1].Kind == runs.EventStdout {
			break
		}
	}
	killWorkers(t)
	v, err := run.Wait(t.Context())
	if err != nil || v.State != store.Failed || !strings.Contains(string(v.Result), "the next cell of the session begins with") {
		t.Errorf("%s %s %v", v.State, v.Result, err)
	}
	r.prints("a", id, "b, err := os.ReadFile(\"f\")\nfmt.Print(n, string(b), err)", "1kept<nil>")
}

// killWorkers kills the processes that this one has started.
func killWorkers(t *testing.T) {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 {
		t.Skip("this kernel does not list the children of a process")
	}
	n := 0
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, pid := range strings.Fields(string(text)) {
			number, err := strconv.Atoi(pid)
			if err != nil {
				t.Fatal(err)
			}
			if child, err := os.FindProcess(number); err == nil && child.Kill() == nil {
				n++
			}
		}
	}
	if n == 0 {
		t.Fatal("there are no workers")
	}
}

// TestTooMuchToKeep: what cannot be kept is not kept in part.
func TestTooMuchToKeep(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id := r.create("a")
	r.prints("a", id, "n := 1\nif err := os.WriteFile(\"f\", make([]byte, 40<<20), 0o600); err != nil { panic(err) }", "")
	r.sessions.LetGo(0) // a sandbox counts what is added in it
	state, result := r.run("a", id, "n = 2\nif err := os.WriteFile(\"g\", make([]byte, 40<<20), 0o600); err != nil { panic(err) }")
	if state != store.Failed || !strings.Contains(result, "cannot be kept") {
		t.Errorf("%s %.300s", state, result)
	}
	r.prints("a", id, "_, err := os.Stat(\"g\")\nfmt.Print(n, os.IsNotExist(err))", "1 true")
}

// TestSkippedOnce: a variable whose value is not kept is told of when it is new.
func TestSkippedOnce(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id := r.create("a")
	if _, result := r.run("a", id, `f, err := os.Open("/work")`); !strings.Contains(result, "the variable f is not kept") {
		t.Error(result)
	}
	if _, result := r.run("a", id, `x := 1`); strings.Contains(result, "not kept") {
		t.Error(result)
	}
}

// TestContentsOnce: each content of a tenant is in the database once, goes with its last use, and is not shared with another tenant.
func TestContentsOnce(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id, ctx := r.create("a"), t.Context()
	put := func(tenant, id, path, data string) {
		t.Helper()
		if _, err := r.sessions.WriteFile(ctx, tenant, id, path, strings.NewReader(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save := func() string {
		t.Helper()
		snap, err := r.sessions.Save(ctx, "a", id)
		if err != nil {
			t.Fatal(err)
		}
		return snap
	}
	for i := range 20 {
		put("a", id, fmt.Sprintf("f%d", i), fmt.Sprintf("content %d", i))
	}
	put("a", id, "same", "content 0")
	if n := r.query(`SELECT count(*) FROM blob WHERE tenant = 'a'`); n != 21 { // and the manifest
		t.Errorf("%d contents, want 21", n)
	}
	first := save()
	put("a", id, "f7", "another content")
	second := save()
	if n := r.query(`SELECT count(*) FROM blob WHERE tenant = 'a'`); n != 23 { // the one that changed, and a manifest
		t.Errorf("%d contents after the second snapshot, want 23", n)
	}
	other := r.create("b")
	put("b", other, "f", "content 0")
	if n := r.query(`SELECT count(*) FROM blob WHERE data = CAST('content 0' AS BLOB)`); n != 2 {
		t.Errorf("two tenants share a content")
	}
	want := int64(r.query(`SELECT sum(length(data) + 256) + 256 * (SELECT count(*) FROM blob_use WHERE tenant = 'a') + 3 * 1024 FROM blob WHERE tenant = 'a'`))
	if got, err := r.store.Bytes(ctx, "a"); err != nil || got != want {
		t.Errorf("%d bytes of the tenant, want %d, %v", got, want, err)
	}
	if err := r.sessions.Delete(ctx, "a", id); err != nil {
		t.Fatal(err)
	}
	if err := r.sessions.DeleteSnapshot(ctx, "a", second); err != nil {
		t.Fatal(err)
	}
	if n := r.query(`SELECT count(*) FROM blob WHERE tenant = 'a'`); n != 21 {
		t.Errorf("%d contents with the first snapshot, want 21", n)
	}
	if _, err := r.sessions.Create(ctx, "a", sessions.Request{Snapshot: first}); err != nil {
		t.Error(err)
	}
	if err := r.sessions.DeleteSnapshot(ctx, "a", first); err != nil {
		t.Fatal(err)
	}
	if n := r.query(`SELECT count(*) FROM blob b WHERE NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.tenant = b.tenant AND u.hash = b.hash)`); n != 0 {
		t.Errorf("%d contents that nobody needs", n)
	}
}

// TestUnchangedCell: a cell that changes nothing writes no content.
func TestUnchangedCell(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id := r.create("a")
	r.prints("a", id, "n := 1", "")
	before := r.query(`SELECT max(rowid) FROM blob`)
	if state, result := r.run("a", id, "fmt.Printn(n)"); state != store.Failed {
		t.Errorf("%s %s", state, result)
	}
	if after := r.query(`SELECT max(rowid) FROM blob`); after != before {
		t.Errorf("the last content is %d, and was %d", after, before)
	}
}

// TestEditedRows: what is not as it was written is refused as a whole.
func TestEditedRows(t *testing.T) {
	for name, edit := range map[string]string{
		"a content":        `UPDATE blob SET data = CAST('forged' AS BLOB) WHERE data = CAST('data' AS BLOB)`,
		"the manifest":     `UPDATE blob SET data = CAST(replace(CAST(data AS TEXT), '"path":"f"', '"path":"../f"') AS BLOB) WHERE instr(CAST(data AS TEXT), '"path":"f"')`,
		"the head":         `UPDATE snapshot SET head = (SELECT hash FROM blob WHERE data = CAST('data' AS BLOB))`,
		"the head, forged": `UPDATE snapshot SET head = zeroblob(5)`,
	} {
		r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
		id, ctx := r.create("a"), t.Context()
		if _, err := r.sessions.WriteFile(ctx, "a", id, "f", strings.NewReader("data"), 0o644); err != nil {
			t.Fatal(err)
		}
		snap, err := r.sessions.Save(ctx, "a", id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.sessions.Load(ctx, "a", id, snap); err != nil {
			t.Fatal(err)
		}
		r.query(edit)
		if v, err := r.sessions.Load(ctx, "a", id, snap); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		r.close()
	}
}

// TestAtOnce: cells, files, forks and snapshots of sessions at once, more of them than there may be workers: they wait.
func TestAtOnce(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{Live: 2, Idle: 20 * time.Millisecond})
	ctx := t.Context()
	var all sync.WaitGroup
	const cells = 6
	for i := range 10 {
		id := r.create("a")
		r.prints("a", id, "n := 0", "")
		for range cells {
			all.Go(func() {
				if state, result := r.run("a", id, "n++\nif err := os.WriteFile(fmt.Sprint(n), nil, 0o600); err != nil { panic(err) }"); state != store.Done {
					t.Errorf("%s: %s", state, result)
				}
			})
		}
		all.Go(func() {
			for k := range cells {
				path := fmt.Sprintf("d/%d", k%3)
				if _, err := r.sessions.WriteFile(ctx, "a", id, path, strings.NewReader(fmt.Sprint(i, k)), 0o644); err != nil {
					t.Error(err)
				}
				if err := r.sessions.RemoveFile(ctx, "a", id, path); err != nil {
					t.Error(err)
				}
				if _, err := r.sessions.Files(ctx, "a", id); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			if _, err := r.sessions.Fork(ctx, "a", id, 2); err != nil {
				t.Error(err)
			}
			if _, release, err := r.sessions.ReadTar(ctx, "a", id); err != nil {
				t.Error(err)
			} else {
				release()
			}
		})
		defer func() {
			r.prints("a", id, "list, err := os.ReadDir(\".\")\nfmt.Print(n, len(list), err)", fmt.Sprint(cells, cells+1, " <nil>"))
		}()
	}
	all.Wait()
	if n := r.sessions.Live(); n > 2 {
		t.Errorf("%d sessions have workers; the limit is 6", n)
	}
}

// TestDeletedWhileRunning: to delete a session ends its cell, and those that wait.
func TestDeletedWhileRunning(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id, ctx := r.create("a"), t.Context()
	var list []*runs.Run
	for range 3 {
		run, err := r.runs.Start(ctx, "a", runs.Request{Session: id, Code: "for {}", TimeoutMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, run)
	}
	if err := r.sessions.Delete(ctx, "a", id); err != nil {
		t.Fatal(err)
	}
	for _, run := range list {
		if v, err := run.Wait(ctx); err != nil || v.State == store.Done || !strings.Contains(string(v.Result), `"cancelled"`) {
			t.Errorf("%s %s %v", v.State, v.Result, err)
		}
	}
	if n := r.query(`SELECT (SELECT count(*) FROM blob) + (SELECT count(*) FROM session)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestPaths: a path leads nowhere but below the working directory.
func TestPaths(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	id := r.create("a")
	for _, path := range []string{"", ".", "..", "../a", "/a", "a/../b", "a//b", "a/", "a\x00b", strings.Repeat("a", 300), strings.Repeat("a/", 600) + "a", "\xff"} {
		if _, err := r.sessions.WriteFile(t.Context(), "a", id, path, strings.NewReader("x"), 0o644); !errors.Is(err, runs.ErrRequest) {
			t.Errorf("%.20q: %v", path, err)
		}
	}
	r.prints("a", id, "if err := os.Symlink(\"/tmp\", \"l\"); err != nil { panic(err) }", "")
	if _, err := r.sessions.WriteFile(t.Context(), "a", id, "l/f", strings.NewReader("x"), fs.ModePerm); !errors.Is(err, runs.ErrRequest) {
		t.Errorf("through a link: %v", err)
	}
}
