package sessions

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// hostile are manifests that are to be refused.
func hostile() map[string]string {
	head := `{"format":"sandtrapd session","version":1,"origin":"s","policy":"default"`
	hash := store.HashOf(nil).String()
	file := func(path string, size int) string {
		return fmt.Sprintf(`{"path":%q,"mode":420,"mtime":0,"data":{"hash":%q,"size":%d}}`, path, hash, size)
	}
	entries := func(list ...string) string { return head + `,"entries":[` + strings.Join(list, ",") + `]}` }
	return map[string]string{
		"parent":        entries(file("../a", 0)),
		"absolute":      entries(file("/a", 0)),
		"dot":           entries(file(".", 0)),
		"inner":         entries(file("a/../../b", 0)),
		"empty":         entries(file("", 0)),
		"NUL":           entries(`{"path":"a\u0000b","mode":420,"mtime":0,"data":{"hash":"` + hash + `","size":0}}`),
		"no directory":  entries(file("a/b", 0)),
		"through file":  entries(file("a", 0), file("a/b", 0)),
		"through link":  entries(`{"path":"a","mode":134218239,"mtime":0,"link":"/etc"}`, file("a/b", 0)),
		"twice":         entries(file("a", 0), file("a", 0)),
		"order":         entries(file("b", 0), file("a", 0)),
		"negative":      entries(file("a", -1)),
		"large":         entries(file("a", MaxFileBytes+1)),
		"large in all":  entries(file("a", MaxFileBytes), file("b", 1)),
		"setuid":        entries(`{"path":"a","mode":8388973,"mtime":0,"data":{"hash":"` + hash + `","size":0}}`),
		"device":        entries(`{"path":"a","mode":67109284,"mtime":0}`),
		"both":          entries(`{"path":"a","mode":420,"mtime":0,"link":"b","data":{"hash":"` + hash + `","size":0}}`),
		"short hash":    entries(`{"path":"a","mode":420,"mtime":0,"data":{"hash":"00","size":0}}`),
		"unknown field": head + `,"x":1}`,
		"two":           head + `}{}`,
		"version":       `{"format":"sandtrapd session","version":2}`,
		"format":        `{}`,
		"state":         head + `,"state":{"hash":"` + hash + `","size":-1}}`,
		"not JSON":      "\x00",
		"long name":     entries(file(strings.Repeat("a", 256), 0)),
	}
}

// TestHostileManifests: each is refused whole.
func TestHostileManifests(t *testing.T) {
	for name, text := range hostile() {
		if m, err := decode([]byte(text)); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// FuzzManifest: one that is taken lists what package fs calls paths, can be made in memory, and is there what it lists.
func FuzzManifest(f *testing.F) {
	for _, text := range hostile() {
		f.Add([]byte(text))
	}
	hash := store.HashOf(nil).String()
	f.Add([]byte(`{"format":"sandtrapd session","version":1,"origin":"s","policy":"default","entries":[{"path":"d","mode":2147484141,"mtime":5},{"path":"d/f","mode":420,"mtime":7,"data":{"hash":"` + hash + `","size":0}},{"path":"l","mode":134218239,"mtime":0,"link":"../../etc/passwd"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := decode(text)
		if err != nil {
			return
		}
		for _, e := range m.Entries {
			if !fs.ValidPath(e.Path) || e.Mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeDevice|fs.ModeNamedPipe|fs.ModeSocket) != 0 || e.size() > 1<<20 {
				if e.size() > 1<<20 {
					return // the test has no such data
				}
				t.Fatalf("took %+v", e)
			}
		}
		get := func(context.Context, store.Hash) ([]byte, error) { return nil, nil }
		tree, err := newTree(t.Context(), time.Time{}, m.Entries, get)
		if err != nil {
			return // of contents with another size
		}
		n := 0
		if err := afero.Walk(tree, "/", func(string, fs.FileInfo, error) error { n++; return nil }); err != nil || n != len(m.Entries)+1 {
			t.Fatalf("%d entries made of %d, %v", n-1, len(m.Entries), err)
		}
		again, _, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		if m2, err := decode(again); err != nil || !slices.EqualFunc(m.Entries, m2.Entries, func(a, b entry) bool { return a.Path == b.Path && a.equals(&b) }) {
			t.Fatalf("%+v became %+v, %v", m, m2, err)
		}
	})
}
