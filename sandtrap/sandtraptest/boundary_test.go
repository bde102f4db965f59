package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

var errShut = errors.New("the shop is shut")

// bounded is a policy whose scripts use all that crosses the boundary of a worker.
func bounded() sandtrap.Policy {
	p := pure()
	p.Files = &sandtrap.Files{Cwd: "/w", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
	p.Funcs = map[string]any{
		"add": func(a, b int) int { return a + b }, "buy": func(n int) (string, error) { return "", fmt.Errorf("buy %d: %w", n, errShut) },
		"panics": func() { panic("broken") }, "errShut": errShut,
	}
	return p
}

// TestBoundary: what a sandbox does is the same whether there is a process in between or not.
func TestBoundary(t *testing.T) {
	for _, tc := range []struct {
		name string
		test func(b bench, box *sandtrap.Sandbox)
	}{
		{"used again, and closed", boundaryLife},
		{"killed", boundaryKilled},
		{"variables that stay", boundaryDropped},
		{"calls", boundaryCalls},
		{"files", boundaryFiles},
		{"streams, arguments, echoes, prints", boundaryStreams},
		{"cancelled", boundaryCancelled},
		{"an error with a channel in it", boundaryError},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) { tc.test(b, b.Box(bounded())) })
		})
	}
}

// does wants a run that goes well, and its output.
func does(b bench, box *sandtrap.Sandbox, src, want string) *sandtrap.Result {
	b.Helper()
	res, err := box.Run(b.Context(), sandtrap.Script{Text: src})
	if err != nil || res.Stdout != want {
		b.Errorf("%q: printed %q, %v, want %q", src, res.Stdout, err, want)
	}
	return res
}

func boundaryLife(b bench, box *sandtrap.Sandbox) {
	for into, want := range map[any]string{
		3:           "sandtrap: Script.Result: a pointer to a variable is needed, got int",
		(*int)(nil): "sandtrap: Script.Result: a pointer to a variable is needed, got a nil *int",
	} {
		_, err := box.Run(b.Context(), sandtrap.Script{Text: "result := 1", Result: into})
		if _, ok := errors.AsType[*sandtrap.Error](err); ok || err == nil || err.Error() != want {
			b.Errorf("Result %T: %v, want %s: no script is at fault", into, err, want)
		}
	}
	does(b, box, `fmt.Print(1)`, "1")
	first := children(b)
	for n := range 3 {
		does(b, box, fmt.Sprintf(`fmt.Print(%d)`, n), fmt.Sprint(n))
	}
	if now := children(b); !reflect.DeepEqual(now, first) {
		b.Errorf("the processes were %v and are %v", first, now)
	}
	if one, two := box.Close(), box.Close(); one != nil || two != nil {
		b.Errorf("closed twice: %v, %v", one, two)
	}
	if _, err := box.Run(b.Context(), sandtrap.Script{Text: "x := 1"}); !errors.Is(err, sandtrap.ErrClosed) {
		b.Errorf("a run after that: %v", err)
	}
}

func boundaryKilled(b bench, box *sandtrap.Sandbox) {
	does(b, box, `os.WriteFile("kept", []byte("text"), 0o600); fmt.Print("written")`, "written")
	const read = `t, _ := os.ReadFile("kept"); fmt.Print(string(t))`
	killed := 0
	for n := range 20 {
		if b.Isolation == sandtrap.None {
			break // there is nothing to kill
		}
		kill := time.AfterFunc(time.Duration(n)*time.Millisecond, func() {
			for pid := range children(b) {
				if p, err := os.FindProcess(pid); err == nil {
					p.Kill()
				}
			}
		})
		_, err := box.Run(b.Context(), sandtrap.Script{Text: "for range 40 { os.WriteFile(\"other\", nil, 0o600); time.Sleep(time.Millisecond) }"})
		kill.Stop()
		if err != nil && !errors.Is(err, sandtrap.KindWorker) {
			b.Errorf("killed after %d ms: %v", n, err)
		}
		if err != nil {
			killed++
		}
		does(b, box, read, "text")
	}
	if b.Isolation != sandtrap.None && killed < 10 {
		b.Errorf("only %d of 20 runs were killed", killed)
	}
	does(b, box, read, "text")
}

func boundaryDropped(b bench, box *sandtrap.Sandbox) {
	res := does(b, box, "c := make(chan int); l := []chan int{c}; m := map[string]any{\"c\": c}; n := 7", "")
	if res.Vars["n"] != 7 {
		b.Errorf("n is %v", res.Vars["n"])
	}
	locks := does(b, box, "var mu sync.Mutex; var wg sync.WaitGroup; var once sync.Once; p := &mu; wg.Wait()", "")
	if len(locks.Warnings) > 0 {
		b.Errorf("locks have nothing to hand out, and yet: %q", locks.Warnings)
	}
	several := does(b, box, "r := bufio.NewReader(os.Stdin); s := bufio.NewScanner(os.Stdin)", "")
	if want := "r of type bufio.Reader, s of type bufio.Scanner: cannot be copied"; b.Isolation != sandtrap.None &&
		(len(several.Warnings) != 1 || !strings.HasPrefix(several.Warnings[0], want)) {
		b.Errorf("one reason is told once, for all variables: %q", several.Warnings)
	}
	if b.Isolation != sandtrap.None && !slices.Equal(several.NotCopied, several.Warnings) {
		b.Errorf("the warning is about values that are not copied: %q, not %q", several.Warnings, several.NotCopied)
	}
	for _, name := range []string{"c", "l", "m"} {
		told := slices.ContainsFunc(res.Warnings, func(w string) bool { return strings.Contains(w, name) })
		if _, there := res.Vars[name]; !there && !told {
			b.Errorf("nothing says what became of %s: %q", name, res.Warnings)
		}
	}
}

func boundaryCalls(b bench, box *sandtrap.Sandbox) {
	does(b, box, "n := 0\nfor i := range 1000 { n = add(n, i) }\nfmt.Print(n)", "499500")
	does(b, box, "_, err := buy(3)\nfmt.Print(err, errors.Is(err, errShut), errors.Unwrap(err) == errShut)", "buy 3: the shop is shut true true")
	does(b, box, "func f() { defer func() { fmt.Print(recover()) }(); panics() }\nf()", "broken")
	if _, err := box.Run(b.Context(), sandtrap.Script{Text: "steal(1)"}); !errors.Is(err, sandtrap.ErrRefused) {
		b.Errorf("a function that is not there: %v", err)
	}
}

func boundaryFiles(b bench, box *sandtrap.Sandbox) {
	res, err := box.Run(b.Context(), sandtrap.Script{Text: `os.MkdirAll("a/b", 0o700)
f, err := os.OpenFile("a/b/f", os.O_RDWR|os.O_CREATE, 0o600)
f.WriteString("0123456789"); f.Seek(2, io.SeekStart); f.Write([]byte("xy")); f.WriteAt([]byte("z"), 9); f.Truncate(9)
p := make([]byte, 3); f.ReadAt(p, 1); st, _ := f.Stat(); f.Close()
os.Rename("a/b/f", "a/g"); os.Symlink("g", "a/l"); os.Chdir("a")
t, _ := os.ReadFile("l"); to, _ := os.Readlink("l"); wd, _ := os.Getwd()
list, _ := os.ReadDir("."); os.Remove("l"); _, gone := os.Stat("l"); os.RemoveAll("b"); _, no := os.Open("b/f")
fmt.Println(err, string(p), st.Size(), string(t), to, wd, len(list), list[0].IsDir(), os.IsNotExist(gone), errors.Is(no, fs.ErrNotExist), no)`})
	if want := "<nil> 1xy 9 01xy45678 g /w/a 3 true true true open b/f: file or directory does not exist\n"; err != nil || strings.ReplaceAll(res.Stdout, "no such file or directory", "file or directory does not exist") != want {
		b.Errorf("got %q, %v, want %q", res.Stdout, err, want)
	}
	does(b, box, `t, _ := os.ReadFile("/w/a/g"); fmt.Print(string(t))`, "01xy45678")
}

func boundaryStreams(b bench, box *sandtrap.Sandbox) {
	var out, diag strings.Builder
	res, err := box.Run(b.Context(), sandtrap.Script{
		Text: "t, _ := io.ReadAll(os.Stdin)\nfmt.Println(string(t), os.Args[1:])\nprintln(\"diag\")\n1 + 1\n[]string{\"e\"}",
		Args: []string{"prog", "a", "b"}, Stdin: io.LimitReader(strings.NewReader("input and more"), 5), Stdout: &out, Stderr: &diag, Echo: sandtrap.EchoAll, Prints: true,
	})
	if err != nil || res.Stdout != "input [a b]\n" || out.String() != res.Stdout || res.Stderr != "diag\n" || diag.String() != "diag\n" {
		b.Errorf("%q, %q, %q, %q, %v", res.Stdout, out.String(), res.Stderr, diag.String(), err)
	}
	if want := []sandtrap.Echo{{Text: "2", Type: "int"}, {Text: `[]string{"e"}`, Type: "[]string"}}; !reflect.DeepEqual(res.Echo, want) {
		b.Errorf("echoes %v, want %v", res.Echo, want)
	}
	if len(res.Prints) == 0 || res.Prints[0].Text != "input [a b]\n" || fmt.Sprint(res.Prints[0].Values) != "[input [a b]]" {
		b.Errorf("prints %+v", res.Prints)
	}
}

func boundaryCancelled(b bench, box *sandtrap.Sandbox) {
	ctx, cancel := context.WithCancel(b.Context())
	res, err := box.Run(ctx, sandtrap.Script{Text: "fmt.Print(\"before\")\ntime.Sleep(time.Minute)", Stdout: writerFunc(func([]byte) { cancel() })})
	if !errors.Is(err, sandtrap.KindCancelled) || !errors.Is(err, context.Canceled) || res.Stdout != "before" {
		b.Errorf("%q, %v", res.Stdout, err)
	}
	does(b, box, `fmt.Print("after")`, "after")
}

func boundaryError(b bench, box *sandtrap.Sandbox) {
	res, err := box.Run(b.Context(), sandtrap.Script{Text: "type odd struct { why string; c chan int }\nfunc (o *odd) Error() string { return \"odd \" + o.why }\nfunc fail() error { return &odd{\"one\", make(chan int)} }\nfunc f() { panic(fail()) }\nf()"})
	if !errors.Is(err, sandtrap.KindPanic) || !strings.Contains(res.Error.Message, "odd one") || len(res.Error.Stack) == 0 || res.Error.Stack[0].Func != "main.f" {
		b.Errorf("%v, %+v", err, res.Error)
	}
}

// A writerFunc hears of each write.
type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }
