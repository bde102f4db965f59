package sandtraptest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestArtifacts: what a script leaves with artifact is in the result of its run, in each mode: copies, the last one of a
// name, however the run ends; and in that of no other run.
func TestArtifacts(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits.Artifacts = 1 << 20
		box := b.Box(p)
		res, err := box.Run(b.Context(), sandtrap.Script{Text: `
data := []byte("<svg></svg>")
fmt.Println(artifact("chart.svg", data), artifact("table.csv", []byte("a,b")), artifact("table.csv", []byte("c,d")))
fmt.Println(artifact("raw", []byte{0, 255}), artifact("note", []byte("text")), artifact("empty.PNG", nil))
data[0] = 'X'
panic("at the end")`})
		want := []sandtrap.Artifact{
			{Name: "chart.svg", MediaType: "image/svg+xml", Data: []byte("<svg></svg>")}, {Name: "empty.PNG", MediaType: "image/png"},
			{Name: "note", MediaType: "text/plain", Data: []byte("text")}, {Name: "raw", MediaType: "application/octet-stream", Data: []byte{0, 255}},
			{Name: "table.csv", MediaType: "text/csv", Data: []byte("c,d")},
		}
		if !errors.Is(err, sandtrap.KindPanic) || res.Stdout != "<nil> <nil> <nil>\n<nil> <nil> <nil>\n" {
			b.Errorf("%v, %q", err, res.Stdout)
		}
		if diff := cmp.Diff(want, res.Artifacts, cmp.Comparer(bytes.Equal)); diff != "" {
			b.Error(diff)
		}
		if res, err := box.Run(b.Context(), sandtrap.Script{Text: `x := 1`}); err != nil || len(res.Artifacts) > 0 {
			b.Errorf("the next run has %v, %v", res.Artifacts, err)
		}
	})
}

// TestArtifactsBounded: artifacts have no more bytes than the limit, of one script less if that says so, names of files
// alone, and there are a thousand at most; what does not fit is an error for the script.
func TestArtifactsBounded(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits.Artifacts = 100_000
		box := b.Box(p)
		size := func(res *sandtrap.Result) (n int) {
			for _, a := range res.Artifacts {
				n += len(a.Name) + len(a.Data)
			}
			return n
		}
		for text, want := range map[string]string{
			`err := artifact("a", make([]byte, 100_000)); fmt.Print(err)`:                                                                                                                 "artifact: a does not fit: the run may leave 100000 bytes",
			`artifact("a", make([]byte, 60_000)); fmt.Print(artifact("b", make([]byte, 60_000)))`:                                                                                         "artifact: b does not fit: the run may leave 100000 bytes",
			`artifact("a", make([]byte, 60_000)); fmt.Print(artifact("a", make([]byte, 90_000)))`:                                                                                         "<nil>",
			`n := 0; for i := range 2000 { if artifact(fmt.Sprint(i), nil) == nil { n++ } }; fmt.Print(n)`:                                                                                "1000",
			`for _, s := range []string{"", ".", "..", "a/b", "/a", "a\\b", "c:x", "a\x00", "a\nb", strings.Repeat("a", 256), "\u202ea"} { if artifact(s, nil) == nil { fmt.Print(s) } }`: "",
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: text})
			if err != nil || res.Stdout != want || size(res) > 100_000 {
				b.Errorf("%s: %q, %v, %d bytes; want %q", text, res.Stdout, err, size(res), want)
			}
		}
		less := sandtrap.Limits{Artifacts: 10}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: `fmt.Print(artifact("a", make([]byte, 10)) != nil, artifact("a", make([]byte, 9)))`, Limits: less})
		if err != nil || res.Stdout != "true <nil>" || size(res) != 10 {
			b.Errorf("%q, %v", res.Stdout, err)
		}
		if _, err := b.Box(pure()).Run(b.Context(), sandtrap.Script{Text: `artifact("a", nil)`}); !errors.Is(err, sandtrap.ErrRefused) {
			b.Errorf("without the limit: %v", err)
		}
	})
	p := sandtrap.Policy{Limits: sandtrap.Limits{Artifacts: 1}, Funcs: map[string]any{"artifact": func() {}}}
	if _, err := sandtrap.Compile(p); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), "Funcs") {
		t.Errorf("a function of that name: %v", err)
	}
	delete(p.Funcs, "artifact")
	if _, err := sandtrap.Compile(p); err != nil || len(p.Funcs) > 0 {
		t.Errorf("the host's own map: %v, %v", p.Funcs, err)
	}
}

// TestArtifactsOfCells: cells and functions that a run has left leave artifacts in their own results.
func TestArtifactsOfCells(t *testing.T) {
	eachSession(t, func(b bench) {
		p := pure()
		p.Limits = sandtrap.Limits{Artifacts: 100}
		s := b.Session(p)
		for i, text := range []string{`save := func(s string) error { return artifact(s, []byte(s)) }`, `save("a")`, `save("b")`} {
			res, err := s.Run(b.Context(), sandtrap.Script{Text: text})
			if err != nil || len(res.Artifacts) != min(i, 1) || i > 0 && res.Artifacts[0].Name != []string{"", "a", "b"}[i] {
				b.Errorf("%s: %v, %v", text, res.Artifacts, err)
			}
			if f := res.Func("save"); f != nil {
				res, err := f.Call(b.Context(), "c")
				if err != nil || len(res.Artifacts) != 1 || res.Artifacts[0].Name != "c" {
					b.Errorf("a call of the host's: %v, %v, %v", res.Returned, res.Artifacts, err)
				}
			}
		}
	})
}
