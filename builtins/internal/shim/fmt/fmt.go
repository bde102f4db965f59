package fmt

import (
	"fmt"
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/vfs"
)

func Print(e *shim.Env) func(...any) (int, error) {
	out := e.StdStreams().Out
	return func(a ...any) (int, error) {
		w := e.Noting(out, a)
		a = e.Printable(a, false)
		return fmt.Fprint(w, a...)
	}
}

func Printf(e *shim.Env) func(string, ...any) (int, error) {
	out := e.StdStreams().Out
	return func(format string, a ...any) (int, error) {
		w := e.Noting(out, a)
		format, a = e.PrintableFormat(format, a, false, false)
		return fmt.Fprintf(w, format, a...)
	}
}

func Println(e *shim.Env) func(...any) (int, error) {
	out := e.StdStreams().Out
	return func(a ...any) (int, error) {
		w := e.Noting(out, a)
		a = e.Printable(a, false)
		return fmt.Fprintln(w, a...)
	}
}

func Fprint(e *shim.Env) func(io.Writer, ...any) (int, error) {
	return func(w io.Writer, a ...any) (int, error) {
		a = e.Printable(a, false)
		return fmt.Fprint(e.Writer(w), a...)
	}
}

func Fprintf(e *shim.Env) func(io.Writer, string, ...any) (int, error) {
	return func(w io.Writer, format string, a ...any) (int, error) {
		format, a = e.PrintableFormat(format, a, false, false)
		return fmt.Fprintf(e.Writer(w), format, a...)
	}
}

func Fprintln(e *shim.Env) func(io.Writer, ...any) (int, error) {
	return func(w io.Writer, a ...any) (int, error) {
		a = e.Printable(a, false)
		return fmt.Fprintln(e.Writer(w), a...)
	}
}

func Sprint(e *shim.Env) func(...any) string {
	return func(a ...any) string {
		a = e.Printable(a, true)
		return fmt.Sprint(a...)
	}
}

func Sprintf(e *shim.Env) func(string, ...any) string {
	return func(format string, a ...any) string {
		format, a = e.PrintableFormat(format, a, true, false)
		return fmt.Sprintf(format, a...)
	}
}

func Sprintln(e *shim.Env) func(...any) string {
	return func(a ...any) string {
		a = e.Printable(a, true)
		return fmt.Sprintln(a...)
	}
}

func Errorf(e *shim.Env) func(string, ...any) error {
	return func(format string, a ...any) error {
		format, a = e.PrintableFormat(format, a, true, true)
		return fmt.Errorf(format, a...)
	}
}

func Append(e *shim.Env) func([]byte, ...any) []byte {
	return func(b []byte, a ...any) []byte {
		a = e.Printable(a, true)
		return fmt.Append(b, a...)
	}
}

func Appendf(e *shim.Env) func([]byte, string, ...any) []byte {
	return func(b []byte, format string, a ...any) []byte {
		format, a = e.PrintableFormat(format, a, true, false)
		return fmt.Appendf(b, format, a...)
	}
}

func Appendln(e *shim.Env) func([]byte, ...any) []byte {
	return func(b []byte, a ...any) []byte {
		a = e.Printable(a, true)
		return fmt.Appendln(b, a...)
	}
}

// scan calls fmt.Fscan or Fscanln with what is paid for.
func scan(e *shim.Env, scan func(io.Reader, ...any) (int, error), r io.Reader, a []any) (int, error) {
	r, a = scanning(e, r, a)
	return scan(r, a...)
}

// scanRate is a rate for PayText.
const scanRate = 25

func scanf(e *shim.Env, r io.Reader, format string, a []any) (int, error) {
	e.PayText(scanRate, len(format))
	r, a = scanning(e, r, a)
	return fmt.Fscanf(r, format, a...)
}

func Scan(e *shim.Env) func(...any) (int, error) {
	return func(a ...any) (int, error) {
		return scan(e, fmt.Fscan, e.StdStreams().Input.Runes(), a)
	}
}

func Scanf(e *shim.Env) func(string, ...any) (int, error) {
	return func(format string, a ...any) (int, error) {
		return scanf(e, e.StdStreams().Input.Runes(), format, a)
	}
}

func Scanln(e *shim.Env) func(...any) (int, error) {
	return func(a ...any) (int, error) {
		return scan(e, fmt.Fscanln, e.StdStreams().Input.Runes(), a)
	}
}

func Fscan(e *shim.Env) func(io.Reader, ...any) (int, error) {
	return func(r io.Reader, a ...any) (int, error) {
		return scan(e, fmt.Fscan, scanSource(e, r), a)
	}
}

func Fscanf(e *shim.Env) func(io.Reader, string, ...any) (int, error) {
	return func(r io.Reader, format string, a ...any) (int, error) {
		return scanf(e, scanSource(e, r), format, a)
	}
}

func Fscanln(e *shim.Env) func(io.Reader, ...any) (int, error) {
	return func(r io.Reader, a ...any) (int, error) {
		return scan(e, fmt.Fscanln, scanSource(e, r), a)
	}
}

func Sscan(e *shim.Env) func(string, ...any) (int, error) {
	return func(s string, a ...any) (int, error) {
		return scan(e, fmt.Fscan, strings.NewReader(s), a)
	}
}

func Sscanf(e *shim.Env) func(string, string, ...any) (int, error) {
	return func(s, format string, a ...any) (int, error) {
		return scanf(e, strings.NewReader(s), format, a)
	}
}

func Sscanln(e *shim.Env) func(string, ...any) (int, error) {
	return func(s string, a ...any) (int, error) {
		return scan(e, fmt.Fscanln, strings.NewReader(s), a)
	}
}

// scanSource returns what to scan for r. Without a RuneScanner fmt reads byte by byte, so standard
// input is one for the length of a call.
func scanSource(e *shim.Env, r io.Reader) io.Reader {
	if f, ok := r.(*vfs.File); ok && f == e.StdStreams().In {
		return e.StdStreams().Input.Runes()
	}
	if _, ok := r.(io.RuneScanner); ok {
		return r
	}
	return e.Reader(r)
}
