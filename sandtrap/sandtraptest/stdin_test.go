package sandtraptest

import (
	"errors"
	"io"
	"os"
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
				res, err := b.box(p).Run(b.Context(), sandtrap.Script{Text: tc.src, Stdin: strings.NewReader(tc.stdin)})
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
				_, err := b.box(p).Run(b.Context(), sandtrap.Script{Text: src, Stdin: in})
				if !errors.Is(err, sandtrap.KindTimeout) || strings.Contains(err.Error(), "has not returned") {
					b.Errorf("error %v, want a timeout, and nothing given up", err)
				}
			})
		})
	}
}

// TestStdinPanics: what an input of the host's panics with is a panic of the script.
func TestStdinPanics(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err != nil {
		t.Fatal(err)
	}
	src := "defer func() { fmt.Print(recover()) }()\nvar b [1]byte\nos.Stdin.Read(b[:])"
	res, err := box.Run(t.Context(), sandtrap.Script{Text: src, Stdin: io.TeeReader(strings.NewReader("x"), boomWriter{})})
	if err != nil || res.Stdout != "boom" {
		t.Errorf("%q, %v, want the panic", res.Stdout, err)
	}
}

type boomWriter struct{}

func (boomWriter) Write([]byte) (int, error) { panic("boom") }

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
