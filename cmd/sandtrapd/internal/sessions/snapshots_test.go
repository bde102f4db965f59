package sessions_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// steps is how often a cell of TestNeverTorn writes its number: a snapshot of the middle of one has another one than a multiple of it.
const steps = 50

// TestNeverTorn: snapshots and forks that are made while a script of the session writes have what it had between two cells: its files and
// its variable have the same number, which is one of the end of a cell.
func TestNeverTorn(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		t.Run(string(isolation), func(t *testing.T) {
			r := newRig(t, t.TempDir(), isolation, sessions.Options{})
			ctx := t.Context()
			id := r.create("a")
			r.prints("a", id, "n := 0\nwrite := func(f string) { if err := os.WriteFile(f, []byte(fmt.Sprint(n)), 0o600); err != nil { panic(err) } }\nwrite(\"a\"); write(\"b\")", "")
			over := make(chan struct{})
			var writer sync.WaitGroup
			writer.Go(func() {
				defer close(over)
				for range 8 {
					if state, result := r.run("a", id, fmt.Sprintf("for range %d { n++; write(\"a\"); write(\"b\") }", steps)); state != store.Done {
						t.Error(result)
					}
				}
			})
			saved := map[string]bool{}
			var forks []string
			for going := true; going; {
				select {
				case <-over:
					going = false
				default:
				}
				snap, err := r.sessions.Save(ctx, "a", id)
				if err != nil {
					t.Fatal(err)
				}
				if saved[snap] {
					continue
				}
				saved[snap] = true
				views, err := r.sessions.Fork(ctx, "a", id, 1)
				if err != nil {
					t.Fatal(err)
				}
				forks = append(forks, views[0].ID)
			}
			writer.Wait()
			if len(saved) < 3 {
				t.Errorf("%d snapshots are different ones", len(saved))
			}
			for snap := range saved {
				v, err := r.sessions.Create(ctx, "a", sessions.Request{Snapshot: snap})
				if err != nil {
					t.Fatal(err)
				}
				r.whole(v.ID)
			}
			for _, fork := range forks {
				r.whole(fork)
			}
		})
	}
}

// whole looks at a session of TestNeverTorn: at its files from outside, and at all of it by a cell.
func (r *rig) whole(id string) {
	r.t.Helper()
	var files []string
	for _, name := range []string{"a", "b"} {
		_, data, release, err := r.sessions.ReadFile(r.t.Context(), "a", id, name)
		if err != nil {
			r.t.Fatal(err)
		}
		files = append(files, string(data))
		release()
	}
	n, err := strconv.Atoi(files[0])
	if err != nil || files[1] != files[0] || n%steps != 0 {
		r.t.Errorf("the files have %q", files)
	}
	_, result := r.run("a", id, `a, _ := os.ReadFile("a"); b, _ := os.ReadFile("b"); fmt.Print(n, " ", string(a), " ", string(b))`)
	if want := fmt.Sprintf(`"stdout":"%d %d %d"`, n, n, n); !strings.Contains(result, want) {
		r.t.Errorf("%s; want %s", result, want)
	}
}

// TestSameSizeAndTime: a file that has other bytes is another content, also if it has the size and the time that it had.
func TestSameSizeAndTime(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{})
	ctx := t.Context()
	id := r.create("a")
	const write = "if err := os.WriteFile(\"f\", []byte(%q), 0o600); err != nil { panic(err) }\nif err := os.Chtimes(\"f\", time.Unix(1, 0), time.Unix(1, 0)); err != nil { panic(err) }"
	for _, text := range []string{"first.", "second", "third."} {
		r.prints("a", id, fmt.Sprintf(write, text), "")
		snap, err := r.sessions.Save(ctx, "a", id)
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.sessions.Create(ctx, "a", sessions.Request{Snapshot: snap})
		if err != nil {
			t.Fatal(err)
		}
		file, data, release, err := r.sessions.ReadFile(ctx, "a", v.ID, "f")
		if err != nil || string(data) != text || file.Size != 6 || file.Modified.Unix() != 1 {
			t.Errorf("%+v has %q, want %q, %v", file, data, text, err)
		}
		release()
	}
}
