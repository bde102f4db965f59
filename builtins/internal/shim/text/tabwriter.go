package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// TabWriter is what a script sees as tabwriter.Writer: Go's own, counted.
type TabWriter struct {
	w   tabwriter.Writer
	e   *shim.Env
	out *unwound
	row int // cells of the line that is written

	busy bool // it is written to, or flushed: what it writes to must not be itself
}

const (
	tabCell  = 40 // a cell beside its text
	tabTicks = 30 // and its work
	// maxTabCells bounds the cells of a line: for each column Go goes one level
	// down its stack.
	maxTabCells = 200_000
)

func TabwriterNewWriter(e *shim.Env) func(io.Writer, int, int, int, byte, uint) *TabWriter {
	return func(out io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *TabWriter {
		return (&TabWriter{e: e}).Init(out, minwidth, tabwidth, padding, padchar, flags)
	}
}

func TabwriterInit(e *shim.Env) func(*TabWriter, io.Writer, int, int, int, byte, uint) *TabWriter {
	return func(t *TabWriter, out io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *TabWriter {
		t.e = e
		return t.Init(out, minwidth, tabwidth, padding, padchar, flags)
	}
}

// Init makes the writer ready for a table.
func (t *TabWriter) Init(out io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *TabWriter {
	t.row = 0
	t.out = &unwound{w: &workedWriter{t.e, t.e.Keeper(out)}}
	t.w.Init(t.out, minwidth, tabwidth, padding, padchar, flags)
	return t
}

// Write adds text to the table.
func (t *TabWriter) Write(p []byte) (int, error) {
	cells := 0
	for line := range bytes.Lines(p) {
		n := bytes.Count(line, []byte("\t")) + bytes.Count(line, []byte("\v"))
		cells += n + 1
		if t.row += n; t.row > maxTabCells {
			panic(shim.RuntimeError("tabwriter: too many cells in a line"))
		}
		if bytes.ContainsAny(line, "\n\f") {
			t.row = 0
		}
	}
	t.e.Charge(int64(len(p)))
	t.e.ChargeProduct(int64(cells), tabCell)
	t.e.Work(int64(len(p)) + int64(cells)*tabTicks)
	return t.alone("Write", func() (int, error) { return t.w.Write(p) })
}

// Flush writes the table.
func (t *TabWriter) Flush() error {
	_, err := t.alone("Flush", func() (int, error) { return 0, t.w.Flush() })
	return err
}

// alone does what must not be done in itself. It panics as Go does, with the text of what its
// writer panicked with: that is paid for, as the texts of writers in each other grow.
func (t *TabWriter) alone(op string, f func() (int, error)) (int, error) {
	if t.busy {
		return 0, shim.NestedTooDeep
	}
	t.busy = true
	defer func() { t.busy = false }()
	n, err := f()
	if err != errUnwound {
		return n, err
	}
	v := t.out.panicked
	t.out.panicked = nil
	t.e.Check() // a stop is no text
	if v == shim.NestedTooDeep {
		panic(v)
	}
	text := fmt.Sprintf("tabwriter: panic during %s (%v)", op, v)
	t.e.Charge(int64(len(text)))
	t.e.Work(int64(len(text)))
	panic(text)
}

// unwound is for code that recovers what its writer panics with: it gets an error, and the
// panic is kept for its caller.
type unwound struct {
	w        io.Writer
	panicked any
}

var errUnwound = errors.New("the writer panicked")

func (u *unwound) Write(p []byte) (n int, err error) {
	whole := false
	defer func() {
		if !whole {
			u.panicked, n, err = recover(), 0, errUnwound
		}
	}()
	n, err = u.w.Write(p)
	whole = true
	return n, err
}

// workedWriter is for code that may write much more than it was given.
type workedWriter struct {
	e *shim.Env
	w io.Writer
}

func (w *workedWriter) Write(p []byte) (int, error) {
	w.e.Work(1 + int64(len(p))/8)
	return w.w.Write(p)
}
