package hostwrite

import (
	"io"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// plainKeeper is what of keeper engine yaegi runs: it gives the library no other methods with bytes than these.
const plainKeeper = `package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
)

var kept [][]byte
var groups [][]string

type writer struct{ n int }

func (w *writer) Write(p []byte) (int, error) { kept = append(kept, p[:cap(p)]); w.n++; return len(p), nil }

type reader struct{ r io.Reader }

func (r *reader) Read(p []byte) (int, error) { kept = append(kept, p[:cap(p)]); return r.r.Read(p) }

func main() {
	work()
	if len(kept) < 20 {
		panic(fmt.Sprint("only ", len(kept), " were lent"))
	}
	for i := range kept {
		for j := range kept[i] {
			kept[i][j] = 0xfe
		}
	}
	for i := range groups {
		for j := range groups[i] {
			groups[i][j] = "X"
		}
	}
	kept = nil
	work()
	for i := range kept {
		if bytes.IndexByte(kept[i], 0xfe) >= 0 {
			panic("bytes that an earlier call had")
		}
	}
}

func work() {
	out := &writer{}
	w := tabwriter.NewWriter(out, 0, 8, 1, '\t', 0)
	fmt.Fprintln(w, "a\tb\tc")
	fmt.Fprintln(w, "aaaaaaaaaaaaaaaa\tb\tc")
	w.Flush()
	pem.Encode(out, &pem.Block{Type: "X", Headers: map[string]string{"a": "b"}, Bytes: []byte("hello")})
	tw := tar.NewWriter(out)
	tw.WriteHeader(&tar.Header{Name: "a", Size: 3, PAXRecords: map[string]string{"A.b": "c"}})
	tw.Write([]byte("abc"))
	tw.Close()
	fmt.Fprintf(out, "%d", 7)
	for i := 0; i < 4; i++ {
		if n, err := io.Copy(out, &reader{bytes.NewReader(make([]byte, 100))}); n != 100 || err != nil {
			panic(fmt.Sprint(n, err))
		}
		if n, err := io.CopyN(io.Discard, &reader{bytes.NewReader(make([]byte, 100))}, 50); n != 50 || err != nil {
			panic(fmt.Sprint(n, err))
		}
	}
	if n := fill(&reader{bytes.NewReader([]byte("hello"))}); n != 5 {
		panic(n)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		groups = append(groups, g[:cap(g)])
		return a
	}}))
	log.WithGroup("x").Info("hello", "a", 1)
	if len(groups) == 0 {
		panic("no groups")
	}
	var got bytes.Buffer
	if _, err := got.ReadFrom(&reader{bytes.NewReader([]byte("hello"))}); err != nil || got.String() != "hello" {
		panic(fmt.Sprint(got.String(), err))
	}
}
`

// TestBorrowedYaegi: nor does one that engine yaegi runs.
func TestBorrowedYaegi(t *testing.T) {
	want := hostWork(t)
	p := standard()
	p.Engine = "yaegi"
	own := []byte("other words of the host")
	p.Funcs = map[string]any{"fill": func(r io.Reader) int { n, _ := r.Read(own); return n }}
	_, err := rig.RunOnce(t, p, plainKeeper)
	if got := hostWork(t); got != want {
		t.Errorf("after the run the host makes\n%q\nnot\n%q", got, want)
	}
	if got := string(own); got != "hello words of the host" {
		t.Errorf("the host's own bytes are %q", got)
	}
	if err != nil {
		t.Error(err)
	}
}
