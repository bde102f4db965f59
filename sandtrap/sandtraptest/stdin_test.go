package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestStdin: a script reads what it was given, line by line whatever the ends of lines
// are, and then meets the end of it, again and again. Nothing is there if nothing was
// given: nothing of the host's.
func TestStdin(t *testing.T) {
	const lines = `in := bufio.NewScanner(os.Stdin); for in.Scan() { fmt.Printf("%q ", in.Text()) }; fmt.Println(in.Err())`
	for _, tc := range []struct{ name, stdin, src, want string }{
		{"lines", "a\nb\n", lines, `"a" "b" <nil>`},
		{"CRLF", "a\r\n\r\nb\r\n", lines, `"a" "" "b" <nil>`},
		{"no end of line", "a\nb", lines, `"a" "b" <nil>`},
		{"none", "", lines, `<nil>`},
		{"end", "x", `b := make([]byte, 4); n, _ := os.Stdin.Read(b); _, e := os.Stdin.Read(b); _, f := os.Stdin.Read(b); fmt.Println(n, e, f == io.EOF)`, `1 EOF true`},
		{"words", " 1 2\t3", `var a, b, c, d int; n, err := fmt.Scan(&a, &b, &c, &d); fmt.Println(a, b, c, n, err)`, `1 2 3 3 EOF`},
		{"arguments", "", `fmt.Println(len(os.Args), flag.NArg(), os.Args[0] == "")`, `1 0 false`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: pure().Limits}
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: tc.src, Stdin: strings.NewReader(tc.stdin)})
				if err != nil || strings.TrimSpace(res.Stdout) != tc.want {
					b.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
				}
			})
		})
	}
}

// silent is an input that says nothing until it is closed.
type silent chan struct{}

func (s silent) Read([]byte) (int, error) {
	<-s
	return 0, io.EOF
}

// TestSilentStdin: an input that does not come holds up no run that has to end, whoever waits
// for it; such a run would end by being given up, and its error would say so.
func TestSilentStdin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for name, src := range map[string]string{
		"Read":    `var b [10]byte; os.Stdin.Read(b[:])`,
		"Scanner": `bufio.NewScanner(os.Stdin).Scan()`,
		"Scan":    `var x int; fmt.Scan(&x)`,
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				in := make(silent)
				defer close(in)
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: 200 * time.Millisecond}}
				_, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: src, Stdin: in})
				if !errors.Is(err, sandtrap.KindTimeout) || strings.Contains(err.Error(), "has not returned") {
					b.Errorf("error %v, want a timeout, and nothing given up", err)
				}
			})
		})
	}
}

// A readerFunc is an input.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestStdinFails: what an input of the host's fails with the script gets, in each mode: a panic, or an error
// with the data that came with it.
func TestStdinFails(t *testing.T) {
	errOwn := errors.New("own")
	with := func(err error) readerFunc { return func(p []byte) (int, error) { return copy(p, "abc"), err } }
	for _, tc := range []struct {
		name string
		in   readerFunc
		want string
	}{
		{"panic", func([]byte) (int, error) { panic("boom") }, "panic string boom"},
		{"panic with an error", func([]byte) (int, error) { panic(fmt.Errorf("w: %w", io.ErrUnexpectedEOF)) }, "panic *fmt.wrapError w: unexpected EOF"},
		{"panic of the runtime", func(p []byte) (int, error) { return len([]int(nil)[len(p):]), nil }, "panic runtime runtime error: slice bounds out of range [4096:0]"},
		{"more than there is room for", func([]byte) (int, error) { return 9999, nil }, "panic runtime runtime error: slice bounds out of range [:9999] with capacity 4096"},
		{"Goexit", func([]byte) (int, error) { runtime.Goexit(); return 0, nil }, `0 "" the host's function ended its goroutine`},
		{"data and an error", with(errors.New("broken")), `3 "abc" broken`},
		{"data and a known error", with(fmt.Errorf("w: %w", io.ErrUnexpectedEOF)), `3 "abc" w: unexpected EOF (known)`},
		{"data and an error of the policy", with(errOwn), `3 "abc" own (own)`},
		{"data and the end", with(io.EOF), `3 "abc" EOF`},
		{"cancelled", with(context.Canceled), `3 "abc" context canceled`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: pure().Limits, Funcs: map[string]any{"errOwn": errOwn}}
				res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Stdin: tc.in, Text: `defer func() {
	p := recover()
	if p == nil {
		return
	}
	if _, ok := p.(runtime.Error); ok {
		fmt.Print("panic runtime ", p)
	} else {
		fmt.Printf("panic %T %v", p, p)
	}
}()
var b [8]byte
n, err := os.Stdin.Read(b[:])
if err == nil {
	_, err = os.Stdin.Read(b[4:])
}
fmt.Printf("%d %q %v", n, b[:n], err)
if errors.Is(err, io.ErrUnexpectedEOF) {
	fmt.Print(" (known)")
}
if errors.Is(err, errOwn) {
	fmt.Print(" (own)")
}`})
				if err != nil || res.Stdout != tc.want {
					b.Errorf("%q, %v, want %q", res.Stdout, err, tc.want)
				}
			})
		})
	}
}

// A failingWriter is an output that may fail.
type failingWriter func([]byte) (int, error)

func (f failingWriter) Write(p []byte) (int, error) { return f(p) }

// TestWriterFails: what a writer of the host's panics with does not reach the script; the host is told, once.
func TestWriterFails(t *testing.T) {
	eachMode(t, func(b bench) {
		calls := 0
		bad := failingWriter(func([]byte) (int, error) { calls++; panic("boom\n") })
		box := b.Box(sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: pure().Limits})
		const src = "fmt.Println(1)\nfmt.Println(2)\nprintln(3)"
		for _, tc := range []struct {
			script sandtrap.Script
			want   []string
		}{
			{sandtrap.Script{Stdout: bad}, []string{`Script.Stdout panicked, and got nothing after that: "boom\n"`}},
			{sandtrap.Script{Stderr: bad, Stdout: io.Discard}, []string{`Script.Stderr panicked, and got nothing after that: "boom\n"`}},
			{sandtrap.Script{Stdout: failingWriter(func([]byte) (int, error) { return 0, io.ErrClosedPipe })}, nil},
		} {
			calls = 0
			tc.script.Text = src
			res, err := box.Run(b.Context(), tc.script)
			if err != nil || res.Stdout != "1\n2\n" || !slices.Equal(res.Warnings, tc.want) || calls > 1 {
				b.Errorf("%q, %v, %q after %d calls, want %q", res.Stdout, err, res.Warnings, calls, tc.want)
			}
		}
		if b.Isolation == sandtrap.None { // it is the run's own goroutine, and that is an error of the run
			return
		}
		res, err := box.Run(b.Context(), sandtrap.Script{Text: src, Stdout: failingWriter(func([]byte) (int, error) { runtime.Goexit(); return 0, nil })})
		if want := []string{"Script.Stdout ended its goroutine, and got nothing after that"}; err != nil || !slices.Equal(res.Warnings, want) {
			b.Errorf("%v, %q, want %q", err, res.Warnings, want)
		}
	})
}

// TestSessionStreamsPanic: nor do those that sessions are saved to and loaded from.
func TestSessionStreamsPanic(t *testing.T) {
	eachSession(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: pure().Limits})
		_, err := box.LoadSession(readerFunc(func([]byte) (int, error) { panic("boom") }))
		if want := "the sandbox failed while it loaded the session"; !errors.Is(err, sandtrap.KindInternal) || !strings.Contains(err.Error(), want) {
			b.Errorf("loaded: %v", err)
		}
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		_, err = s.Save(failingWriter(func([]byte) (int, error) { panic("boom") }))
		if want := "the sandbox failed while it saved the session"; !errors.Is(err, sandtrap.KindInternal) || !strings.Contains(err.Error(), want) {
			b.Errorf("saved: %v", err)
		}
		if res, err := s.Run(b.Context(), sandtrap.Script{Text: "fmt.Print(1)"}); err != nil || res.Stdout != "1" {
			b.Errorf("after that: %q, %v", res.Stdout, err)
		}
	})
}

// TestHostFileGiven: a file of the host's that a script was given is nothing to print to.
func TestHostFileGiven(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{`fmt.Fprint(f, "x")`, `f.WriteString("x")`, `w, ok := any(f).(io.Writer); if ok { w.Write([]byte("x")) }`} {
		_, err := box.Run(t.Context(), sandtrap.Script{Text: src, Inputs: map[string]any{"f": file}})
		if !strings.Contains(src, "any(f)") && !errors.Is(err, sandtrap.ErrRefused) {
			t.Errorf("%s: error %v, want a refusal", src, err)
		}
	}
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes were written, %v", info.Size(), err)
	}
}
