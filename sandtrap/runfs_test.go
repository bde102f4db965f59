package sandtrap_test

import (
	"context"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type userKey struct{}

// A userFs notes for whom files are opened.
type userFs struct {
	afero.Fs
	run   func() context.Context
	users *users
}

type users struct {
	sync.Mutex
	list []any
}

func (f userFs) For(run func() context.Context) afero.Fs { return userFs{f.Fs, run, f.users} }

func (f userFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	f.users.Lock()
	defer f.users.Unlock()
	f.users.list = append(f.users.list, f.run().Value(userKey{}))
	return f.Fs.OpenFile(name, flag, perm)
}

// TestFilesOfRun: files that want to know for which run they are asked are told, also by functions that a run has
// left, and by cells.
func TestFilesOfRun(t *testing.T) {
	seen := new(users)
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std:   []string{"os"},
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return userFs{afero.NewMemMapFs(), t.Context, seen}, nil }},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	as := func(user string) context.Context { return context.WithValue(t.Context(), userKey{}, user) }
	const text = `os.WriteFile("/a", nil, 0o644); f := func() { os.ReadFile("/a") }`
	res, err := box.Run(as("run"), sandtrap.Script{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	f, ok := res.Vars["f"].(*sandtrap.Func)
	if !ok {
		t.Fatalf("%T", res.Vars["f"])
	}
	if _, err := f.Call(as("call")); err != nil {
		t.Fatal(err)
	}
	session, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, user := range []string{"cell", "next cell"} {
		if _, err := session.Run(as(user), sandtrap.Script{Text: `os.ReadFile("/a")`}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []any{"run", "call", "cell", "next cell"}; !slices.Equal(seen.list, want) {
		t.Errorf("files were opened for %q; want %q", seen.list, want)
	}
}
