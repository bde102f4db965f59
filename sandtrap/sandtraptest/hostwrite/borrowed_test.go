package hostwrite

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"testing"
	"text/tabwriter"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// hostWork is what code of the host makes with the memory that Go's library keeps for all of the process: bytes of
// its own, buffers and states out of pools.
func hostWork(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 8, 1, '\t', 0)
	fmt.Fprintln(w, "a\tb\tc")
	fmt.Fprintln(w, "aaaaaaaaaaaaaaaa\tb\tc")
	w.Flush()
	template.HTMLEscape(&b, []byte("<a>&'\"\x00"))
	template.JSEscape(&b, []byte("<a>&'\"\x00\\="))
	pem.Encode(&b, &pem.Block{Type: "X", Headers: map[string]string{"a": "b"}, Bytes: []byte("hello")})
	tw := tar.NewWriter(&b)
	tw.WriteHeader(&tar.Header{Name: "a", Size: 3, PAXRecords: map[string]string{"A.b": "c"}})
	tw.Write([]byte("abc"))
	tw.Close()
	for range 64 {
		b.WriteString(fmt.Sprint("plain ", 7))
	}
	io.Copy(io.Discard, struct{ io.Reader }{bytes.NewReader([]byte("of the host"))})
	for range 8 {
		slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return slog.String(a.Key, fmt.Sprintf("%q", groups[:cap(groups)]))
		}})).WithGroup("g").Info("x", "y", 1)
	}
	return b.String()
}

const keeper = `package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"slices"
	"text/tabwriter"
)

var kept [][]byte
var groups [][]string
var states []fmt.State
var scans []fmt.ScanState

func keep(p []byte) { kept = append(kept, p[:cap(p)]) }

type writer struct{}

func (writer) Write(p []byte) (int, error) { keep(p); return len(p), nil }

type reader struct{ r io.Reader }

func (r reader) Read(p []byte) (int, error) { keep(p); return r.r.Read(p) }

type readerAt struct{ r io.ReaderAt }

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { keep(p); return r.r.ReadAt(p, off) }

type state struct{ n int }

func (s state) Format(st fmt.State, verb rune) {
	states = append(states, st)
	if s.n > 0 {
		fmt.Sprint(state{s.n - 1})
	}
	io.WriteString(st, "state")
}

type scan struct{}

func (*scan) Scan(st fmt.ScanState, verb rune) error {
	scans = append(scans, st)
	token, err := st.Token(true, nil)
	keep(token)
	return err
}

func (*scan) MarshalText() ([]byte, error) { return []byte("x"), nil }

func main() {
	work()
	for _, p := range kept {
		for i := range p {
			p[i] = 0xfe
		}
	}
	for _, g := range groups {
		for i := range g {
			g[i] = "X"
		}
	}
	kept, groups = nil, nil
	work()
	for _, p := range kept {
		if bytes.IndexByte(p, 0xfe) >= 0 {
			panic("bytes that an earlier call had")
		}
	}
	for _, g := range groups {
		if slices.Contains(g, "X") {
			panic("groups that an earlier call had")
		}
	}
	late()
}

func work() {
	w := tabwriter.NewWriter(writer{}, 0, 8, 1, '\t', 0)
	fmt.Fprintln(w, "a\tb\tc")
	fmt.Fprintln(w, "aaaaaaaaaaaaaaaa\tb\tc")
	w.Flush()
	template.HTMLEscape(writer{}, []byte("<a>&'\"\x00"))
	template.JSEscape(writer{}, []byte("<a>&'\"\x00\\="))
	template.Must(template.New("").Parse("{{.}}<a href='{{.}}' onclick='f({{.}})'>")).Execute(writer{}, "<a>&'\"\x00")
	pem.Encode(writer{}, &pem.Block{Type: "X", Headers: map[string]string{"a": "b"}, Bytes: []byte("hello")})
	tw := tar.NewWriter(writer{})
	tw.WriteHeader(&tar.Header{Name: "a", Size: 3, PAXRecords: map[string]string{"A.b": "c"}})
	tw.Write([]byte("abc"))
	tw.Close()
	json.NewEncoder(writer{}).Encode([]string{"x"})
	fmt.Fprintf(writer{}, "%d", 7)
	for range 4 {
		io.Copy(io.Discard, reader{bytes.NewReader(make([]byte, 100))})
		io.CopyN(io.Discard, reader{bytes.NewReader(make([]byte, 100))}, 50)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, _ := z.Create("a")
	f.Write(make([]byte, 10000))
	z.Close()
	r, err := zip.NewReader(readerAt{bytes.NewReader(b.Bytes())}, int64(b.Len()))
	if err != nil {
		panic(err)
	}
	g, _ := r.File[0].Open()
	data, err := io.ReadAll(g)
	if err != nil || len(data) != 10000 {
		panic(fmt.Sprint(len(data), err))
	}
	g.Close()
	if fmt.Sprintf("%v", state{30}) != "state" {
		panic("state")
	}
	for range 4 {
		if _, err := fmt.Sscan("hello", &scan{}); err != nil {
			panic(err)
		}
		slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
			groups = append(groups, g[:cap(g)])
			return a
		}})).WithGroup("x").Info("hello", "a", 1)
	}
}

func late() {
	for _, s := range states {
		if n, err := s.Write([]byte("XXX")); n != 0 || err == nil {
			panic("written later")
		}
		s.Width()
		s.Flag('+')
	}
	for _, s := range scans {
		if r, _, err := s.ReadRune(); r != 0 || err == nil {
			panic("read later")
		}
		s.SkipSpace()
		s.UnreadRune()
		s.Token(true, nil)
	}
}
`

// TestBorrowed: a script that keeps the bytes and states which methods of its types are called with writes to nothing
// that code of the host works with afterwards.
func TestBorrowed(t *testing.T) {
	want := hostWork(t)
	_, err := rig.RunOnce(t, standard(), keeper)
	if got := hostWork(t); got != want {
		t.Errorf("after the run the host makes\n%q\nnot\n%q", got, want)
	}
	if err != nil {
		t.Error(err)
	}
}
