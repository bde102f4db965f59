package durabletest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// A shown is what a host has shown of a run.
type shown struct{ out, err bytes.Buffer }

func (s *shown) rest() durable.Output {
	return durable.Output{Stdout: &s.out, Stderr: &s.err, StdoutSkip: int64(s.out.Len()), StderrSkip: int64(s.err.Len())}
}

const printsAndWaits = `
fmt.Print("be")
fmt.Println("gin ä")
fmt.Fprint(os.Stderr, "to stderr ")
var wg sync.WaitGroup
for i := range 3 { wg.Go(func() { fmt.Println(i); fmt.Println(i, ask(fmt.Sprint(i))); fmt.Fprintln(os.Stderr, i) }) }
wg.Wait()
fmt.Println(rand.IntN(1000), ask("last"))
`

// TestOutputOnce: a host that shows the output of each part of a run, and skips what it has shown, has shown all of it, once.
func TestOutputOnce(t *testing.T) {
	for _, mode := range isolations() {
		b := oneBox(t, mode, map[string]any{"ask": sandtrap.Member{Value: func(string) string { return "" }, Pauses: true}})
		var s shown
		res, pause, err := b.Start(t.Context(), sandtrap.Script{Text: printsAndWaits, Stdout: &s.out, Stderr: &s.err}, nil)
		for parts := 1; ; parts++ {
			if err != nil {
				t.Fatal(mode, err)
			}
			if s.out.String() != res.Stdout || s.err.String() != res.Stderr {
				t.Fatalf("%s, part %d: shown %q and %q, printed %q and %q", mode, parts, &s.out, &s.err, res.Stdout, res.Stderr)
			}
			if pause == nil {
				break
			}
			// Resumed without an answer, and with one, by a box that has another isolation.
			file := saved(t, pause)
			if _, _, err := b.Resume(durable.WithOutput(t.Context(), s.rest()), bytes.NewReader(file), nil); err != nil {
				t.Fatal(err)
			}
			other := oneBox(t, isolations()[parts%len(isolations())], map[string]any{"ask": sandtrap.Member{Value: func(string) string { return "" }, Pauses: true}})
			res, pause, err = other.Resume(durable.WithOutput(t.Context(), s.rest()), bytes.NewReader(file), nil,
				durable.Answer{ID: pause.Pending[0].ID, Result: asJSON(t, fmt.Sprint("answer ", parts))})
		}
		if !strings.HasSuffix(s.out.String(), " answer 4\n") {
			t.Errorf("%s: %q", mode, &s.out)
		}
	}
}

// TestOutputWhileRunning: output is shown before the run goes on.
func TestOutputWhileRunning(t *testing.T) {
	for _, mode := range isolations() {
		read, write := io.Pipe()
		b := oneBox(t, mode, map[string]any{"wait": sandtrap.Member{Blocking: true, Value: func() (string, error) {
			text := make([]byte, 6)
			_, err := io.ReadFull(read, text) // until the script's text has come
			return string(text), err
		}}})
		res, _, err := b.Start(t.Context(), sandtrap.Script{
			Text: "go func() { fmt.Println(`hello`) }()\ns, err := wait()\nfmt.Fprint(os.Stderr, s, err)", Stdout: write,
		}, nil)
		if err != nil || res.Stderr != "hello\n<nil>" {
			t.Error(mode, res.Stderr, err)
		}
	}
}

// TestOutputNested: a run that a function of the host makes does not print where the run that calls it does.
func TestOutputNested(t *testing.T) {
	inner := oneBox(t, sandtrap.None, nil)
	b := oneBox(t, sandtrap.None, map[string]any{"nest": func(ctx context.Context) error {
		_, _, err := inner.Start(ctx, sandtrap.Script{Text: "fmt.Print(`inner`)"}, nil)
		return err
	}})
	var s shown
	_, _, err := b.Start(durable.WithOutput(t.Context(), s.rest()), sandtrap.Script{Text: "fmt.Print(nest())"}, nil)
	if err != nil || s.out.String() != "<nil>" {
		t.Errorf("%q, %v", &s.out, err)
	}
}

// TestOutputOfCell: of a session that is loaded, the cell that goes on is shown, and not those before it.
func TestOutputOfCell(t *testing.T) {
	for _, mode := range isolations() {
		b := oneBox(t, mode, map[string]any{"ask": sandtrap.Member{Value: func(string) string { return "" }, Pauses: true}})
		var file bytes.Buffer
		first, err := b.Session(&file)
		if err != nil {
			t.Fatal(err)
		}
		var s shown
		if _, _, err := first.Run(t.Context(), sandtrap.Script{Text: "fmt.Println(`one`)", Stdout: &s.out}); err != nil || s.out.String() != "one\n" {
			t.Fatalf("%s: %q, %v", mode, &s.out, err)
		}
		s.out.Reset()
		_, pause, err := first.Run(durable.WithOutput(t.Context(), s.rest()), sandtrap.Script{Text: "fmt.Println(`two`)\nfmt.Println(ask(`?`))"})
		if err != nil || s.out.String() != "two\n" {
			t.Fatalf("%s: %q, %v", mode, &s.out, err)
		}
		first.Close()
		second, err := b.LoadSession(&file, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = second.Resume(durable.WithOutput(t.Context(), s.rest()), durable.Answer{ID: pause.Pending[0].ID, Result: asJSON(t, "three")})
		if err != nil || s.out.String() != "two\nthree\n" {
			t.Errorf("%s: %q, %v", mode, &s.out, err)
		}
		second.Close()
	}
}
