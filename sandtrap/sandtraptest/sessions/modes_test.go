package sessions

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestSessionModes: a session is the same wherever it is.
func TestSessionModes(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		p := rig.Pure()
		p.Funcs = map[string]any{"twice": func(n int) int { return 2 * n }}
		s := b.Session(p)
		b.Cells(s,
			rig.Cell{"x := twice(4)", ""}, rig.Cell{"x++\nx", "= 9"},
			rig.Cell{"type P struct{ a, b int }\nfunc (p P) Sum() int { return p.a + p.b }", ""},
			rig.Cell{"p := P{1, 2}\nfmt.Printf(\"%T %+v\\n\", p, p)\np.Sum()", "main.P {a:1 b:2}\n= 3"},
			rig.Cell{"f := func() int { x++; return x }", ""}, rig.Cell{"f() + f()", "= 21"},
			rig.Cell{"y := nothing", "! type"}, rig.Cell{"panic(\"no\")", "! panic"}, rig.Cell{"for {}", "! ticks"},
			rig.Cell{"x", "= 11"},
		)
		want := []sandtrap.Binding{
			{Kind: "import", Name: "fmt", Type: "fmt"}, {Kind: "type", Name: "P", Type: "struct{a int; b int}"}, {Kind: "var", Name: "f", Type: "func() int"},
			{Kind: "var", Name: "p", Type: "P"}, {Kind: "var", Name: "x", Type: "int"},
		}
		list, err := s.Bindings()
		if diff := cmp.Diff(want, list); diff != "" || err != nil {
			b.Error(diff, err)
		}
		if typ, err := s.TypeOf("p.Sum() + x"); typ != "int" || err != nil {
			b.Errorf("a type: %q, %v", typ, err)
		}
		if _, err := s.TypeOf("q.Sum()"); !errors.Is(err, sandtrap.KindType) {
			b.Errorf("the type of nothing: %v", err)
		}
		if names, err := s.Complete("twi", 3); err != nil || !cmp.Equal(names, []string{"twice"}) {
			b.Errorf("completions: %q", names)
		}
		if err := s.Reset(); err != nil {
			b.Error(err)
		}
		b.Cells(s, rig.Cell{"x", "! type"}, rig.Cell{"x := 1\nx", "= 1"})
	})
}

// TestSessionRuns: a cell takes and leaves what a run does.
func TestSessionRuns(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		p := rig.Pure()
		p.Files = &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
		s := b.Session(p)
		b.Cells(s,
			rig.Cell{"w, _ := os.Create(\"a.txt\")\n_, err := w.WriteString(\"kept open, \")\nerr == nil", "= true"},
			rig.Cell{"w.WriteString(\"and closed\")\nw.Close()\nd, _ := os.ReadFile(\"a.txt\")\nstring(d)", `= "kept open, and closed"`},
		)
		var answer map[string]int
		res, err := s.Run(b.Context(), sandtrap.Script{
			Text:   "line, _ := bufio.NewReader(os.Stdin).ReadString('\\n')\nfmt.Println(len(os.Args), in, line)\nresult := map[string]int{in: len(line)}",
			Inputs: map[string]any{"in": "word"}, Args: []string{"a", "b"}, Stdin: strings.NewReader("hello\nmore"), Result: &answer,
		})
		if err != nil || res.Stdout != "2 word hello\n\n" || answer["word"] != 6 || res.Isolation.Mode != b.Isolation {
			b.Errorf("%v, %q, %v, %+v", err, res.Stdout, answer, res.Isolation)
		}
		res, err = s.Run(b.Context(), sandtrap.Script{Text: "a, b := 1, []string{\"x\"}"})
		if err != nil || !cmp.Equal(res.Vars, map[string]any{"a": 1, "b": []string{"x"}}) {
			b.Errorf("%v, %v", err, res.Vars)
		}
		if err := s.Close(); err != nil {
			b.Error(err)
		}
		if _, err := s.Run(b.Context(), sandtrap.Script{Text: "1"}); !errors.Is(err, sandtrap.ErrClosed) {
			b.Errorf("after the end: %v", err)
		}
	})
}

// TestSessionSavedModes: a session that was saved goes on, also in another mode.
func TestSessionSavedModes(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		s := b.Session(rig.Pure())
		b.Cells(s, rig.Cell{"n := 1\ntype T struct{ next *T; s string }\nt := &T{s: strings.Repeat(\"x\", 3<<20)}\nt.next = t\nfunc inc() int { n++; return n }\nfunc up() string { return strings.ToUpper(\"a\") }", ""}, rig.Cell{"inc()", "= 2"})
		var saved bytes.Buffer
		if _, err := s.Save(&saved); err != nil {
			b.Fatal(err)
		}
		for _, isolation := range []sandtrap.Isolation{b.Isolation, sandtrap.None} {
			other := rig.Bench{T: b.T, Mode: rig.Mode{Engine: b.Engine, Isolation: isolation}}.Box(sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoLast})
			s, err := other.LoadSession(bytes.NewReader(saved.Bytes()))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			b.Cells(s, rig.Cell{"inc()", "= 3"}, rig.Cell{"t.next == t && len(t.next.s) == 3<<20", "= true"})
		}
		b.Cells(s, rig.Cell{"m := time.NewTimer(time.Hour)", ""})
		if skipped, err := s.Save(io.Discard); err != nil || len(skipped) != 1 || skipped["m"] != "it holds a value of type *time.Timer, which cannot be saved" {
			b.Errorf("what cannot be saved: %v, %v", skipped, err)
		}
		tight := b.Box(sandtrap.Policy{Std: []string{"fmt"}})
		if _, err := tight.LoadSession(bytes.NewReader(saved.Bytes()[:saved.Len()/2])); err == nil {
			b.Error("half a session is loaded")
		}
		if _, err := tight.LoadSession(bytes.NewReader(saved.Bytes())); !errors.As(err, new(*sandtrap.Error)) {
			b.Errorf("under a policy that denies it: %v", err)
		}
		full := errors.New("the disk is full")
		if _, err := b.Session(rig.Pure()).Save(failing{full}); !errors.Is(err, full) {
			b.Errorf("saved to where there is no room: %v", err)
		}
	})
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestSessionReentry: a function of the host cannot run a cell of the session that calls it,
// and is told so; it can run another script.
func TestSessionReentry(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		var box *sandtrap.Sandbox
		var s *sandtrap.Session
		p := rig.Pure()
		p.Funcs = map[string]any{
			"cell": func(ctx context.Context) bool {
				_, err := s.Run(ctx, sandtrap.Script{Text: "1"})
				return errors.Is(err, sandtrap.ErrReentrant)
			},
			"other": func(ctx context.Context) (string, error) {
				res, err := box.Run(ctx, sandtrap.Script{Text: "fmt.Print(1)"})
				return res.Stdout, err
			},
		}
		p.Echo = sandtrap.EchoLast
		box = b.Box(p)
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		b.Cells(s, rig.Cell{"cell()", "= true"}, rig.Cell{"out, _ := other()\nout", "= \"1\""}, rig.Cell{"1 + 1", "= 2"})
	})
}

// TestSessionLost: a session whose worker dies is lost, and says so; the next is fine.
func TestSessionLost(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		if b.Isolation == sandtrap.None {
			b.Skip("there is no worker that could die")
		}
		before := rig.Children(b)
		box := b.Box(rig.Pure())
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		b.Cells(s, rig.Cell{"x := 1", ""})
		time.AfterFunc(100*time.Millisecond, func() {
			for pid := range rig.Children(b) {
				if !before[pid] {
					if p, err := os.FindProcess(pid); err == nil {
						p.Kill()
					}
				}
			}
		})
		_, err = s.Run(b.Context(), sandtrap.Script{Text: "time.Sleep(time.Minute)"})
		if !errors.Is(err, sandtrap.KindWorker) {
			b.Errorf("the cell whose worker was killed: %v", err)
		}
		if _, err := s.Run(b.Context(), sandtrap.Script{Text: "x"}); !errors.Is(err, sandtrap.KindWorker) || !strings.Contains(err.Error(), "lost") {
			b.Errorf("the next cell: %v", err)
		}
		next, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		b.Cells(next, rig.Cell{"x", "! type"}, rig.Cell{"x := 2", ""})
		box.Close() // with its sessions
		for pid := range rig.Children(b) {
			if !before[pid] {
				b.Errorf("process %d is left", pid)
			}
		}
	})
}

// TestSessionEchoes: what each of twelve cells shows.
func TestSessionEchoes(t *testing.T) {
	cells := []struct{ src, want string }{
		{"x := 1", ""},
		{"x + 1", "2 int"},
		{"\"a\\n\"", `"a\n" string`},
		{"[]any{1, \"b\", nil}", `[]interface {}{1, "b", nil} []any`},
		{"type T struct { A int; b string }\nT{1, \"z\"}", `main.T{A:1, b:"z"} main.T`},
		{"&T{A: 2}", `&main.T{A:2, b:""} *main.T`},
		{"map[string]int{\"k\": 1}", `map[string]int{"k":1} map[string]int`},
		{"for range 3 { _ = x }", ""},
		{"var none error\nnone", ""},
		{"time.Duration(1500)", "1.5µs time.Duration"},
		{"func() int { return 1 }()", "1 int"},
		{"x = 5\nx\nx * 2", "10 int"},
	}
	rig.EachSession(t, func(b rig.Bench) {
		session := b.Session(sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: rig.Limits})
		for i, cell := range cells {
			res, err := session.Run(b.Context(), sandtrap.Script{Text: cell.src})
			if err != nil {
				b.Fatalf("cell %d: %v", i+1, err)
			}
			got := ""
			for _, e := range res.Echo {
				got += e.Text + " " + e.Type
			}
			if got != cell.want {
				b.Errorf("cell %d, %s: %s, want %s", i+1, cell.src, got, cell.want)
			}
		}
	})
}

// TestSessionMain: a cell that is a func main runs it, and later cells can call it, also in a session that was saved; no
// cell's statements are main.
func TestSessionMain(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		s := b.Session(rig.Pure())
		b.Cells(s,
			rig.Cell{`func main() { fmt.Print("one ") }`, "one"}, rig.Cell{`main()`, "one"}, rig.Cell{`x := 1; main(); x`, "one = 1"},
			rig.Cell{"package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Print(\"two \") }", "two"}, rig.Cell{`main()`, "two"},
		)
		s = moved(b, s)
		b.Cells(s, rig.Cell{`main()`, "two"},
			rig.Cell{`n := 0; func g() { n++ }; func main() { f := func() { fmt.Print(n) }; defer f(); g(); if n < 3 { main() } }; n = 1`, "33"},
			rig.Cell{`n = 0; main(); call := main; call()`, "3334"},
		)
		b.Cells(moved(b, s), rig.Cell{`main(); n`, "5= 5"})
		b.Cells(b.Session(rig.Pure()), rig.Cell{`x := 1`, ""}, rig.Cell{`main()`, "! type"})
	})
}
