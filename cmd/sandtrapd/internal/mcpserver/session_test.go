package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// sessions are some that are kept in memory, by tenant and name; runs without one are the others'.
type sessions struct {
	mcpserver.Runs

	mu   sync.Mutex
	open map[string]*session
}

type session struct {
	box   *sandtrap.Sandbox
	cells *sandtrap.Session
}

// get is a session; it is made if that is wanted.
func (s *sessions) get(tenant, name string, create bool) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := tenant + "/" + name
	if one := s.open[id]; one != nil || !create {
		if one == nil {
			return nil, store.ErrNone
		}
		return one, nil
	}
	box, err := sandtrap.New(context.Background(), policyfile.Default())
	if err != nil {
		return nil, err
	}
	cells, err := box.Session()
	s.open[id] = &session{box, cells}
	return s.open[id], err
}

func (s *sessions) Open(_ context.Context, tenant, name, _, _ string) (string, error) {
	_, err := s.get(tenant, name, true)
	return name, err
}

func (s *sessions) Reset(_ context.Context, tenant, name string) error {
	one, err := s.get(tenant, name, false)
	if err != nil {
		return err
	}
	if err := one.box.Files().RemoveAll("/work"); err != nil {
		return err
	}
	return one.cells.Reset()
}

func (s *sessions) Files(_ context.Context, tenant, id string) (list []mcpserver.File, err error) {
	one, err := s.get(tenant, id, false)
	if err != nil {
		return nil, err
	}
	infos, _ := afero.ReadDir(one.box.Files(), "/work") // it may be missing
	for _, i := range infos {
		list = append(list, mcpserver.File{Path: i.Name(), Size: i.Size(), Modified: i.ModTime()})
	}
	return list, nil
}

func (s *sessions) ReadFile(_ context.Context, tenant, id, path string) ([]byte, error) {
	one, err := s.get(tenant, id, false)
	if err != nil {
		return nil, err
	}
	data, err := afero.ReadFile(one.box.Files(), "/work/"+path)
	if err != nil {
		return nil, store.ErrNone
	}
	return data, nil
}

func (s *sessions) WriteFile(_ context.Context, tenant, id, path string, data []byte) error {
	one, err := s.get(tenant, id, false)
	if err != nil {
		return err
	}
	return afero.WriteFile(one.box.Files(), "/work/"+path, data, 0o644)
}

func (s *sessions) Start(ctx context.Context, tenant string, q runs.Request) (mcpserver.Run, error) {
	if q.Session == "" {
		return s.Runs.Start(ctx, tenant, q)
	}
	one, err := s.get(tenant, q.Session, false)
	if err != nil {
		return nil, err
	}
	res, err := one.cells.Run(ctx, sandtrap.Script{Text: q.Code})
	v := runs.View{ID: runs.NewID("run"), State: store.Done}
	if err != nil {
		v.State = store.Failed
	}
	v.Result, _ = json.Marshal(runjson.Of(res)) // it has no value that fails
	return cell{v, q.Code}, nil
}

// A cell is a run that has ended.
type cell struct {
	view runs.View
	code string
}

func (c cell) ID() string                               { return c.view.ID }
func (c cell) Source() string                           { return c.code }
func (c cell) View() runs.View                          { return c.view }
func (c cell) Reply(context.Context) (runs.View, error) { return c.view, nil }
func (c cell) Events() (*runs.Log, error)               { return nil, nil }
func (c cell) Abandon()                                 {}

// withSessions has the server have sessions.
func withSessions(o *mcpserver.Options) {
	s := &sessions{Runs: o.Runs, open: map[string]*session{}}
	o.Runs, o.Sessions = s, s
}

// TestSessions: scripts of a session see what those before have left, in variables and files, as does the tool files; another
// tenant's session with the same name is another one.
func TestSessions(t *testing.T) {
	r := newRig(t, withSessions)
	each(t, func(t *testing.T, protocol string) {
		name := "s-" + protocol
		c := connect(t, r.transport("alpha"), protocol, nil)
		run := func(c *client, code string) string {
			return text(c.call(t, "run", map[string]any{"code": code, "session": name}))
		}
		files := func(args map[string]any) string {
			args["session"] = name
			return text(c.call(t, "files", args))
		}
		run(c, "x := 20")
		run(c, `os.WriteFile("a.txt", []byte("hello"), 0o644)`)
		for _, tc := range []struct{ got, want string }{
			{run(c, "fmt.Println(x + 1)"), "21\n"},
			{files(map[string]any{"op": "list"}), "a.txt, 5 bytes\n"},
			{files(map[string]any{"op": "read", "path": "a.txt"}), "hello"},
			{files(map[string]any{"op": "read", "path": "b.txt"}), `there is no file "b.txt"`},
			{files(map[string]any{"op": "write", "path": "b.txt", "content": "more"}), "4 bytes are written"},
			{run(c, "data, err := os.ReadFile(\"b.txt\")\nfmt.Println(string(data), err)"), "more <nil>\n"},
			{files(map[string]any{"op": "delete", "path": "b.txt"}), "op: want list, read or write"},
			{files(map[string]any{"op": "read"}), "path: read and write want one, list none"},
			{run(c, `_ = os.WriteFile("large.txt", make([]byte, 1<<20+1), 0o644)`), "The script has ended without output."},
			{files(map[string]any{"op": "read", "path": "large.txt"}), "the file has 1048577 bytes; want 1048576 at most: read a part of it with a script"},
		} {
			if tc.got != tc.want {
				t.Errorf("got %.200q, want %q", tc.got, tc.want)
			}
		}
		other := connect(t, r.transport("beta"), protocol, nil)
		if got := run(other, "fmt.Println(x)"); !strings.Contains(got, "undefined: x") {
			t.Errorf("another tenant: %q", got)
		}
		c.call(t, "reset", map[string]any{"session": name})
		if got := run(c, "fmt.Println(x)"); !strings.Contains(got, "undefined: x") {
			t.Errorf("after reset: %q", got)
		}
		if got := files(map[string]any{"op": "list"}); got != "The session has no files." {
			t.Errorf("after reset: %q", got)
		}
		if res := c.call(t, "reset", map[string]any{"session": "none"}); !res.IsError {
			t.Error(text(res))
		}
	})
}

// withSearch has the server search a list.
func withSearch(o *mcpserver.Options) {
	o.Search = func(query string, limit int) (list []search.Hit) {
		for _, name := range []string{"Cut", "CutPrefix", "CutSuffix"} {
			if strings.Contains(name, query) {
				list = append(list, search.Hit{Package: "strings", Name: name, Decl: fmt.Sprintf("func %s(s, sep string)", name), Doc: "Cuts.\nTwice."})
			}
		}
		return list[:min(limit, len(list))]
	}
}

// TestSearch: a model reads declarations as Go has them.
func TestSearch(t *testing.T) {
	c := connect(t, newRig(t, withSearch).transport("alpha"), "", nil)
	got := text(c.call(t, "search", map[string]any{"query": "Cut", "limit": 2}))
	if want := "// package strings\n// Cuts.\n// Twice.\nfunc Cut(s, sep string)\n\n// package strings\n// Cuts.\n// Twice.\nfunc CutPrefix(s, sep string)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, args := range []map[string]any{{"query": "a", "limit": 0}, {"query": "a", "limit": 1000}, {"query": strings.Repeat("a", 2000)}, {"query": 1}} {
		if res := c.call(t, "search", args); !res.IsError {
			t.Errorf("%v: %s", args, text(res))
		}
	}
	if got := text(c.call(t, "search", map[string]any{"query": "zzz"})); !strings.HasPrefix(got, "Nothing is found.") {
		t.Error(got)
	}
}
