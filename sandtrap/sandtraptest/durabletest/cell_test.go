package durabletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// keptCells leave only what a saved session keeps. They depend on neither the clock nor random numbers, which begin anew in each cell that
// runs by itself.
var keptCells = []string{
	`n, names := 1, []string{ask("first")}; fmt.Println(names)`,
	`type T struct{ a string; n int; next *T }; func (t *T) Next() string { t.n++; t.a = ask(fmt.Sprint("t", t.n)); return t.a }; func twice(f func() string) string { return f() + f() }`,
	`t := &T{}; t.next = t; fmt.Println(twice(t.Next), t.n, t.next == t); n += t.n`,
	`undefined + 1`,
	`c := make(chan string, 2); go func() { c <- ask("left behind") }(); fmt.Println("no wait", n); c <- "kept"`,
	`later := func(s string) string { names = append(names, s); return ask(s) }; func() { defer later("deferred"); panic("in a cell") }()`,
	`fmt.Println(names, later("again"), quick("now"), n, <-c)`,
	`n := "another type"; _, err := try("eof"); fmt.Println(n, err == io.EOF)`,
	`for i := 0; ; i++ { if i%5000 == 0 { quick("spin"); t.n = i } }`,
	`f, err := find("x"); fmt.Println(f.Name, err, t.Next(), names)`,
	`os.Mkdir("d", 0o750); os.WriteFile("d/f.txt", []byte(ask("content")), 0o640); os.Exit(3)`,
	`m := map[string]int{}; for i := range 20 { m[fmt.Sprint(i)] = i }; b, err := os.ReadFile("d/f.txt"); fmt.Println(string(b), err, len(names), ask("with a file"))`,
	`b, err = os.ReadFile("d/f.txt"); os.WriteFile("d/f.txt", append(b, ask("more")...), 0o640); err = os.Remove("gone"); fmt.Println(err != nil, len(m), m["7"])`,
	`var wg sync.WaitGroup; all := make([]string, 4); for i := range all { wg.Go(func() { all[i] = ask(fmt.Sprint("at once", i)) }) }; wg.Wait(); fmt.Println(all)`,
	`st, err := os.Stat("d/f.txt"); fmt.Println(st.Mode(), st.Size(), err); fmt.Printf("%v %v %v %v %v", names, *t, n, m, all)`,
}

// A chain is a session whose cells run by themselves, one after the other.
type chain struct {
	t     testing.TB
	saved []byte
	files []byte // see packed
	at    int    // cells that are over
}

// base is what the next cell begins with; ended is called when it is over.
func (c *chain) base(ended func()) durable.Base {
	var tree afero.Fs
	return durable.Base{
		ID: fmt.Sprint("after ", c.at), Saved: c.saved,
		Files: func(at time.Time) *sandtrap.Files {
			return &sandtrap.Files{Open: func() (afero.Fs, error) {
				tree = vfs.MemAt(at)
				return tree, unpack(tree, c.files)
			}}
		},
		Ended: func(s *sandtrap.Session) {
			var b bytes.Buffer
			if _, err := s.Save(&b); err != nil {
				c.t.Error(err)
			}
			c.saved, c.files = b.Bytes(), packed(c.t, tree)
			c.at++
			if ended != nil {
				ended()
			}
		},
	}
}

// packed are all files of a tree as lines.
func packed(t testing.TB, tree afero.Fs) []byte {
	t.Helper()
	var b bytes.Buffer
	err := afero.Walk(tree, "/", func(path string, info fs.FileInfo, err error) error {
		if err != nil || path == "/" || path == "/tmp" {
			return err
		}
		data := []byte{}
		if !info.IsDir() {
			data, err = afero.ReadFile(tree, path)
		}
		fmt.Fprintf(&b, "%q %d %d %q\n", path, info.Mode(), info.ModTime().UnixNano(), data)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return b.Bytes()
}

func unpack(tree afero.Fs, text []byte) error {
	for line := range strings.Lines(string(text)) {
		var path, data string
		var mode fs.FileMode
		var at int64
		if _, err := fmt.Sscanf(line, "%q %d %d %q\n", &path, &mode, &at, &data); err != nil {
			return err
		}
		var err error
		if mode.IsDir() {
			err = tree.Mkdir(path, mode.Perm())
		} else {
			err = afero.WriteFile(tree, path, []byte(data), mode.Perm())
		}
		if err := errors.Join(err, tree.Chtimes(path, time.Unix(0, at), time.Unix(0, at))); err != nil {
			return err
		}
	}
	return nil
}

// own is an end without what depends on how often the calls of a cell have come: its ticks.
func own(res *sandtrap.Result, err error) string {
	text, _, _ := strings.Cut(end(res, err), "\nticks")
	return text + fmt.Sprint(res.Echo)
}

// TestCells: cells that run by themselves, from what the session had before, and wait at each call, print and end as those of an unbroken
// session, and leave the same files, with any isolation at each step and answers in any order. No call is made twice.
func TestCells(t *testing.T) {
	var wantCalls []string
	box, err := sandtrap.New(t.Context(), sessionPolicy(sandtrap.None, false, &wantCalls))
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	unbroken, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, text := range keptCells {
		want = append(want, own(unbroken.Run(t.Context(), sandtrap.Script{Text: text})))
	}
	wantFiles := packed(t, box.Files())
	for n, o := range orders {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			var called []string
			var all []*durable.Box
			for _, mode := range isolations() {
				all = append(all, mustBox(t, sessionPolicy(mode, true, &called)))
			}
			step, pauses := n, 0
			next := func() *durable.Box { step++; return all[step%len(all)] }
			c := &chain{t: t}
			for i, text := range keptCells {
				var journal bytes.Buffer
				res, pause, err := next().StartCell(t.Context(), c.base(nil), sandtrap.Script{Text: text}, &journal)
				for pause != nil {
					if pauses++; pauses > 200 || c.at != i {
						t.Fatalf("cell %d waits, %d are over", i+1, c.at)
					}
					var answers []durable.Answer
					for _, p := range o.some(pause.Pending) {
						answers = append(answers, answer(t, p))
					}
					file := saved(t, pause)
					if pauses%2 > 0 {
						file = bytes.Clone(journal.Bytes())
					}
					journal.Reset()
					before := res.Stdout
					res, pause, err = next().ResumeCell(t.Context(), c.base(nil), bytes.NewReader(file), &journal, answers...)
					if !strings.HasPrefix(res.Stdout, before) {
						t.Fatalf("cell %d prints %q, and before %q: %v", i+1, res.Stdout, before, err)
					}
				}
				if got := own(res, err); got != want[i] {
					t.Errorf("cell %d ends with\n%s\nand in an unbroken session with\n%s", i+1, got, want[i])
				}
				if c.at != i+1 {
					t.Fatalf("%d cells are over, want %d", c.at, i+1)
				}
			}
			if got, want := fmt.Sprint(counted(called)), fmt.Sprint(counted(wantCalls)); got != want || pauses < 10 {
				t.Errorf("called %v in %d parts, and in an unbroken session %v", got, pauses, want)
			}
			if string(c.files) != string(wantFiles) {
				t.Errorf("the files are\n%s\nand in an unbroken session\n%s", c.files, wantFiles)
			}
		})
	}
}

// TestCellCut: a cell whose process has ended at any line of its journal comes to the same end, from the same beginning.
func TestCellCut(t *testing.T) {
	var called []string
	b := mustBox(t, sessionPolicy(sandtrap.None, false, &called))
	c := &chain{t: t}
	if _, _, err := b.StartCell(t.Context(), c.base(nil), sandtrap.Script{Text: `n := 1; os.WriteFile("f", []byte("before"), 0o600)`}, nil); err != nil {
		t.Fatal(err)
	}
	from := *c
	var journal bytes.Buffer
	script := sandtrap.Script{Text: `for range 3 { n++; s := ask("x"); b, _ := os.ReadFile("f"); os.WriteFile("f", append(b, s...), 0o600); fmt.Println(s, n, len(b)) }`}
	res, _, err := b.StartCell(t.Context(), c.base(nil), script, &journal)
	want, wantFiles := end(res, err), string(c.files)
	lines := bytes.SplitAfter(journal.Bytes(), []byte("\n"))
	for cut := 1; cut < len(lines)-1; cut++ { // the last one is the end
		again := from
		res, _, err := b.ResumeCell(t.Context(), again.base(nil), bytes.NewReader(bytes.Join(lines[:cut], nil)), nil)
		if got := end(res, err); got != want || string(again.files) != wantFiles {
			t.Errorf("cut after line %d: %s\n%s\nwant %s\n%s", cut, got, again.files, want, wantFiles)
		}
	}
	if len(lines) < 5 {
		t.Errorf("%s", journal.Bytes())
	}
}

// TestCellUnended: a cell that waits, or that something else has ended, leaves the session what it was, and a cell does not go on in
// another session, nor as a run.
func TestCellUnended(t *testing.T) {
	for _, mode := range isolations() {
		var called []string
		b := mustBox(t, sessionPolicy(mode, true, &called))
		c := &chain{t: t}
		no := func() { t.Errorf("%s: the cell has ended", mode) }
		_, pause, err := b.StartCell(t.Context(), c.base(no), sandtrap.Script{Text: `n := 1; fmt.Println(ask("x"), n); for {}`}, nil)
		file := saved(t, pause)
		if err != nil {
			t.Fatal(err)
		}
		refused := func(text string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, want %q", mode, err, text)
			}
		}
		other := c.base(no)
		other.ID = "another"
		_, _, err = b.ResumeCell(t.Context(), other, bytes.NewReader(file), nil)
		refused("something else than when the cell began", err)
		if !errors.Is(err, durable.ErrDiverged) {
			t.Errorf("%s: %v", mode, err)
		}
		_, _, err = b.Resume(t.Context(), bytes.NewReader(file), nil)
		refused("is that of a cell", err)
		_, _, err = b.Replay(t.Context(), bytes.NewReader(file))
		refused("is that of a cell", err)
		_, _, err = b.StartCell(t.Context(), durable.Base{}, sandtrap.Script{Text: "1"}, nil)
		refused("ID is empty", err)
		_, run, err := b.Start(t.Context(), sandtrap.Script{Text: `ask("x")`}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = b.ResumeCell(t.Context(), other, bytes.NewReader(saved(t, run)), nil)
		refused("not that of a cell", err)

		ctx, cancel := context.WithCancel(t.Context())
		printed := &signal{on: cancel}
		_, pause, err = b.ResumeCell(durable.WithOutput(ctx, durable.Output{Stdout: printed}), c.base(no), bytes.NewReader(file), nil, durable.Answer{ID: 1, Result: asJSON(t, "answer")})
		if !errors.Is(err, sandtrap.KindCancelled) || pause != nil {
			t.Errorf("%s: %v %v", mode, pause, err)
		}
	}
}

// A signal is a Writer that calls a function at the first write.
type signal struct{ on func() }

func (s *signal) Write(p []byte) (int, error) {
	s.on()
	return len(p), nil
}
