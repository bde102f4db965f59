package builtins

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/vfs"
)

func fmtPrint(e *Env) func(...any) (int, error) {
	out := e.std().out
	return func(a ...any) (int, error) {
		w := e.noting(out, a)
		a = e.print(a, false)
		return fmt.Fprint(w, a...)
	}
}

func fmtPrintf(e *Env) func(string, ...any) (int, error) {
	out := e.std().out
	return func(format string, a ...any) (int, error) {
		w := e.noting(out, a)
		format, a = e.printf(format, a, false, false)
		return fmt.Fprintf(w, format, a...)
	}
}

func fmtPrintln(e *Env) func(...any) (int, error) {
	out := e.std().out
	return func(a ...any) (int, error) {
		w := e.noting(out, a)
		a = e.print(a, false)
		return fmt.Fprintln(w, a...)
	}
}

func fmtFprint(e *Env) func(io.Writer, ...any) (int, error) {
	return func(w io.Writer, a ...any) (int, error) {
		a = e.print(a, false)
		return fmt.Fprint(e.writer(w), a...)
	}
}

func fmtFprintf(e *Env) func(io.Writer, string, ...any) (int, error) {
	return func(w io.Writer, format string, a ...any) (int, error) {
		format, a = e.printf(format, a, false, false)
		return fmt.Fprintf(e.writer(w), format, a...)
	}
}

func fmtFprintln(e *Env) func(io.Writer, ...any) (int, error) {
	return func(w io.Writer, a ...any) (int, error) {
		a = e.print(a, false)
		return fmt.Fprintln(e.writer(w), a...)
	}
}

func fmtSprint(e *Env) func(...any) string {
	return func(a ...any) string {
		a = e.print(a, true)
		return fmt.Sprint(a...)
	}
}

func fmtSprintf(e *Env) func(string, ...any) string {
	return func(format string, a ...any) string {
		format, a = e.printf(format, a, true, false)
		return fmt.Sprintf(format, a...)
	}
}

func fmtSprintln(e *Env) func(...any) string {
	return func(a ...any) string {
		a = e.print(a, true)
		return fmt.Sprintln(a...)
	}
}

func fmtErrorf(e *Env) func(string, ...any) error {
	return func(format string, a ...any) error {
		format, a = e.printf(format, a, true, true)
		return fmt.Errorf(format, a...)
	}
}

func fmtAppend(e *Env) func([]byte, ...any) []byte {
	return func(b []byte, a ...any) []byte {
		a = e.print(a, true)
		return fmt.Append(b, a...)
	}
}

func fmtAppendf(e *Env) func([]byte, string, ...any) []byte {
	return func(b []byte, format string, a ...any) []byte {
		format, a = e.printf(format, a, true, false)
		return fmt.Appendf(b, format, a...)
	}
}

func fmtAppendln(e *Env) func([]byte, ...any) []byte {
	return func(b []byte, a ...any) []byte {
		a = e.print(a, true)
		return fmt.Appendln(b, a...)
	}
}

// scan calls fmt.Fscan or Fscanln with what is paid for.
func (e *Env) scan(scan func(io.Reader, ...any) (int, error), r io.Reader, a []any) (int, error) {
	r, a = e.scanning(r, a)
	return scan(r, a...)
}

// scanRate is a rate for payText.
const scanRate = 25

func (e *Env) scanf(r io.Reader, format string, a []any) (int, error) {
	e.payText(scanRate, len(format))
	r, a = e.scanning(r, a)
	return fmt.Fscanf(r, format, a...)
}

func fmtScan(e *Env) func(...any) (int, error) {
	return func(a ...any) (int, error) {
		return e.scan(fmt.Fscan, e.std().input.runes(), a)
	}
}

func fmtScanf(e *Env) func(string, ...any) (int, error) {
	return func(format string, a ...any) (int, error) {
		return e.scanf(e.std().input.runes(), format, a)
	}
}

func fmtScanln(e *Env) func(...any) (int, error) {
	return func(a ...any) (int, error) {
		return e.scan(fmt.Fscanln, e.std().input.runes(), a)
	}
}

func fmtFscan(e *Env) func(io.Reader, ...any) (int, error) {
	return func(r io.Reader, a ...any) (int, error) {
		return e.scan(fmt.Fscan, e.scanSource(r), a)
	}
}

func fmtFscanf(e *Env) func(io.Reader, string, ...any) (int, error) {
	return func(r io.Reader, format string, a ...any) (int, error) {
		return e.scanf(e.scanSource(r), format, a)
	}
}

func fmtFscanln(e *Env) func(io.Reader, ...any) (int, error) {
	return func(r io.Reader, a ...any) (int, error) {
		return e.scan(fmt.Fscanln, e.scanSource(r), a)
	}
}

func fmtSscan(e *Env) func(string, ...any) (int, error) {
	return func(s string, a ...any) (int, error) {
		return e.scan(fmt.Fscan, strings.NewReader(s), a)
	}
}

func fmtSscanf(e *Env) func(string, string, ...any) (int, error) {
	return func(s, format string, a ...any) (int, error) {
		return e.scanf(strings.NewReader(s), format, a)
	}
}

func fmtSscanln(e *Env) func(string, ...any) (int, error) {
	return func(s string, a ...any) (int, error) {
		return e.scan(fmt.Fscanln, strings.NewReader(s), a)
	}
}

// Price asks for what it takes to print v in Go syntax.
func (e *Env) Price(v any) { e.payPrint("%#v", []any{v}, true) }

// scanSource returns what to scan for r. Without a RuneScanner fmt reads byte by byte, so standard
// input is one for the length of a call.
func (e *Env) scanSource(r io.Reader) io.Reader {
	if f, ok := r.(*vfs.File); ok && f == e.std().in {
		return e.std().input.runes()
	}
	if _, ok := r.(io.RuneScanner); ok {
		return r
	}
	return e.reader(r)
}
