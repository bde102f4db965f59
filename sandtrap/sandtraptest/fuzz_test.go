package sandtraptest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// FuzzRun runs what becomes of the corpora when lines of one program are put into
// another and letters change. Whatever it is, the host goes on, the run ends in time, and
// how it ends is not a fault of the engine.
func FuzzRun(f *testing.F) {
	var texts []string
	for _, dir := range []string{"testdata/accept", "docs/examples", "testdata/snippets", "testdata/reject", "testdata/escape"} {
		cases, err := Load("../../" + dir)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range cases {
			if len(c.Script) < 4000 {
				texts = append(texts, c.Script)
			}
		}
	}
	for i, text := range texts {
		if i%8 == 0 { // the others come in by lines: a baseline of all would take minutes
			f.Add(text, uint16(i*7+1), uint8(6), uint8(5), uint8(i%4))
		}
	}
	limits := sandtrap.Limits{Ticks: 50_000, Timeout: 300 * time.Millisecond, Memory: 32 << 20, Output: 64 << 10, Tasks: 100, Depth: 500}
	box, err := sandtrap.New(f.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: limits, Echo: sandtrap.EchoAll})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { box.Close() })
	f.Fuzz(func(t *testing.T, text string, other uint16, at, from, n uint8) {
		text = spliced(text, texts[int(other)%len(texts)], int(at), int(from), int(n))
		start := time.Now()
		res, err := box.Run(t.Context(), sandtrap.Script{Text: text})
		if err != nil && res.Error == nil {
			t.Fatalf("no result: %v\n%s", err, text)
		}
		if e := res.Error; e != nil && e.Kind == sandtrap.KindInternal {
			t.Errorf("%s\n%s", e.Message, text)
		}
		if took := time.Since(start); took > limits.Timeout+2*slack {
			t.Errorf("took %v\n%s", took, text)
		}
	})
}

// spliced is text with n lines of other put in, as far as there are so many.
func spliced(text, other string, at, from, n int) string {
	to, lines := strings.Split(text, "\n"), strings.Split(other, "\n")
	at, from = min(at, len(to)), min(from, len(lines))
	return strings.Join(slices.Insert(to, at, lines[from:min(from+n, len(lines))]...), "\n")
}
