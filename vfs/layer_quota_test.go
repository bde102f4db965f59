package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// TestLayerQuota: files of the base that a script changes take no more of the host's memory than the quota
// allows, whatever changes them, removes others meanwhile, or keeps them open.
func TestLayerQuota(t *testing.T) {
	for what, change := range map[string]func(f *FS, name string) error{
		"mode": func(f *FS, name string) error { return f.Chmod(name, 0o600) },
		"open": func(f *FS, name string) error {
			file, err := f.OpenFile(name, os.O_WRONLY, 0)
			if err == nil {
				err = file.Close()
			}
			return err
		},
		"kept open and removed": func(f *FS, name string) error {
			_, err := f.OpenFile(name, os.O_WRONLY, 0)
			return errors.Join(err, f.Remove(name))
		},
		"move":      func(f *FS, name string) error { return f.Rename(name, name+".moved") },
		"move all":  func(f *FS, name string) error { return f.Rename("/d", "/moved") },
		"move over": func(f *FS, name string) error { return f.Rename(name, "/target") },
		"new ones for old": func(f *FS, name string) error {
			return errors.Join(f.Remove(name), f.WriteFile(name+".new", make([]byte, 400), 0o600))
		},
	} {
		t.Run(what, func(t *testing.T) {
			base := Mem()
			for i := range 8 {
				if err := errors.Join(base.MkdirAll("/d", 0o755), afero.WriteFile(base, fmt.Sprint("/d/", i), make([]byte, 400), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			l := layer(t, base)
			hidden, err := Hide(Mount(l, "/elsewhere", Mem()), ".env")
			if err != nil {
				t.Fatal(err)
			}
			f := view(t, hidden, Options{Quota: Quota{Bytes: 1000}})
			refused := 0
			for i := range 8 {
				err := change(f, fmt.Sprint("/d/", i))
				if err != nil && strings.Contains(err.Error(), "disk quota exceeded") {
					refused++
				}
			}
			if refused == 0 && what != "move over" { // which lets go of each
				t.Error("nothing was refused")
			}
			if l.memory.bytes > 1000 {
				t.Errorf("it keeps %d bytes", l.memory.bytes)
			}
			got := int64(0)
			if err := afero.Walk(l.upper, "/", func(_ string, st fs.FileInfo, err error) error {
				got += sizeOf(st)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if f.Close(); got != l.memory.bytes {
				t.Errorf("there are %d bytes, and it counts %d", got, l.memory.bytes)
			}
		})
	}
}

// TestLayerEmpties: what is emptied is not copied before.
func TestLayerEmpties(t *testing.T) {
	base := Mem()
	if err := afero.WriteFile(base, "/large", make([]byte, 1<<20), 0o640); err != nil {
		t.Fatal(err)
	}
	l := layer(t, base)
	f := view(t, l, Options{Quota: Quota{Bytes: 1000}})
	if err := f.WriteFile("/large", []byte("small"), 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := f.Stat("/large")
	if err != nil || st.Size() != 5 || st.Mode() != 0o640 {
		t.Errorf("%v, %v", st, err)
	}
}

// broken files end with an error before they end.
type broken struct{ afero.Fs }

type brokenFile struct{ afero.File }

var errBroken = errors.New("broken")

func (b broken) Open(name string) (afero.File, error) {
	f, err := b.Fs.Open(name)
	return brokenFile{f}, err
}

func (b brokenFile) Read(p []byte) (int, error) {
	n, err := b.File.Read(p[:min(len(p), 3)])
	if err == nil {
		err = errBroken
	}
	return n, err
}

// TestLayerHalf: a file that cannot be copied as a whole is not in the layer, nor is a part of it.
func TestLayerHalf(t *testing.T) {
	base := Mem()
	if err := afero.WriteFile(base, "/f", []byte("all of it"), 0o644); err != nil {
		t.Fatal(err)
	}
	l := layer(t, broken{base})
	if err := l.Chmod("/f", 0o600); err == nil {
		t.Error("no error")
	}
	if err := l.Commit(); err != nil {
		t.Error(err)
	}
	if data, err := afero.ReadFile(base, "/f"); string(data) != "all of it" {
		t.Errorf("%q, %v", data, err)
	}
}
