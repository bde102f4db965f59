package sessions

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// tarOf makes a tar; data is that of all files, as long as their headers say.
func tarOf(t *testing.T, heads ...tar.Header) []byte {
	t.Helper()
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	for _, h := range heads {
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.Repeat([]byte("x"), int(h.Size))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// TestHostileTars: each is refused, and none of its files is there.
func TestHostileTars(t *testing.T) {
	good := tar.Header{Name: "good", Typeflag: tar.TypeReg, Size: 600}
	many := []tar.Header{}
	for range MaxFiles + 1 {
		many = append(many, tar.Header{Name: strings.Repeat("d", 1+len(many)%100) + "/" + strings.Repeat("f", 1+len(many)/100), Typeflag: tar.TypeReg})
	}
	full := tarOf(t, good, tar.Header{Name: "second", Typeflag: tar.TypeReg, Size: 2000})
	for name, text := range map[string][]byte{
		"parent":    tarOf(t, good, tar.Header{Name: "../a", Typeflag: tar.TypeReg, Size: 1}),
		"inner":     tarOf(t, good, tar.Header{Name: "a/../../b", Typeflag: tar.TypeReg, Size: 1}),
		"absolute":  tarOf(t, good, tar.Header{Name: "/etc/passwd", Typeflag: tar.TypeReg, Size: 1}),
		"symlink":   tarOf(t, good, tar.Header{Name: "l", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}),
		"hard link": tarOf(t, good, tar.Header{Name: "l", Linkname: "good", Typeflag: tar.TypeLink}),
		"device":    tarOf(t, good, tar.Header{Name: "d", Typeflag: tar.TypeBlock}),
		"char":      tarOf(t, good, tar.Header{Name: "d", Typeflag: tar.TypeChar}),
		"pipe":      tarOf(t, good, tar.Header{Name: "d", Typeflag: tar.TypeFifo}),
		"twice":     tarOf(t, good, good),
		"twice ./":  tarOf(t, good, tar.Header{Name: "./good", Typeflag: tar.TypeReg}),
		"below":     tarOf(t, good, tar.Header{Name: "good/f", Typeflag: tar.TypeReg}),
		"above":     tarOf(t, tar.Header{Name: "a/f", Typeflag: tar.TypeReg}, tar.Header{Name: "a", Typeflag: tar.TypeReg}),
		"bomb":      tarOf(t, good, tar.Header{Name: "big", Typeflag: tar.TypeReg, Size: MaxFileBytes}),
		"many":      tarOf(t, many...),
		"cut":       full[:len(full)-3000],
		"gzip":      []byte("\x1f\x8b\x08" + strings.Repeat("\x00", 2000)),
		"text":      []byte(strings.Repeat("hello", 400)),
	} {
		h := &holding{held: &held{most: 1 << 40, by: map[string]int64{}}}
		entries, _, err := untar(bytes.NewReader(text), h)
		if err == nil { // it may be about what is there already
			man := &manifest{}
			for _, e := range entries {
				if err == nil {
					err = man.set(e)
				}
			}
		} else if !errors.Is(err, runs.ErrRequest) && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: a fault of the server: %v", name, err)
		}
		if err == nil {
			t.Errorf("%s: took %d entries", name, len(entries))
		}
		if h.release(); h.held.all != 0 || len(h.held.by) != 0 {
			t.Errorf("%s: %d bytes are still held", name, h.held.all)
		}
	}
}

// FuzzTar: a tar that is taken has entries that a manifest may have.
func FuzzTar(f *testing.F) {
	f.Add([]byte(strings.Repeat("\x00", 1024)))
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	_ = w.WriteHeader(&tar.Header{Name: "a/b", Typeflag: tar.TypeReg, Size: 1, Mode: 0o6755})
	_, _ = w.Write([]byte("x"))
	_ = w.Close()
	f.Add(text.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		h := &holding{held: &held{most: 1 << 30, by: map[string]int64{}}}
		entries, _, err := untar(bytes.NewReader(text), h)
		if err != nil {
			return
		}
		man := &manifest{}
		for _, e := range entries {
			if man.set(e) != nil {
				return
			}
		}
		if err := man.check(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestManyDirectories: the directories that paths are in count before they are listed, not when all are there.
func TestManyDirectories(t *testing.T) {
	man := &manifest{}
	for i := range 30 {
		e := entry{Path: fmt.Sprint(i) + strings.Repeat("/d", 500), Mode: 0o644, Data: &content{store.HashOf(nil), 0}}
		if err := man.set(e); err != nil && !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		}
	}
	if n := len(man.Entries); n != MaxFiles {
		t.Errorf("%d are listed, and at most %d may be", n, MaxFiles)
	}
}

// TestHeld: what is on its way is bounded in all and for each tenant.
func TestHeld(t *testing.T) {
	h := &held{most: 400, by: map[string]int64{}}
	a, err := h.take("a", 100)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.take("a", 1); !errors.Is(err, runs.ErrBusy) {
		t.Errorf("more than a quarter: %v", err)
	}
	for _, tenant := range []string{"b", "c", "d"} {
		if _, err := h.take(tenant, 100); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.take("e", 1); !errors.Is(err, runs.ErrBusy) {
		t.Errorf("more than all: %v", err)
	}
	a.release()
	if _, err := h.take("e", 1); err != nil {
		t.Error(err)
	}
}
