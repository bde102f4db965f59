package sandtraptest

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// large is more than a worker and its host can say at a time.
const large = wire.MaxFrame + 2<<20

// TestLarge: what is larger than a message ends a run no other way than in process, but for what
// crosses in one piece, which is refused by name, and says how to do it.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	p := sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 1 << 30, Timeout: time.Minute},
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Mem(), nil }, Quota: vfs.Quota{Bytes: 1 << 30}},
		Funcs: map[string]any{
			"n": large, "size": func(s string) int { return len(s) }, "text": func() string { return strings.Repeat("y", large) },
			"try": func(s string) (int, error) { return len(s), nil },
		},
	}
	const text = `strings.Repeat("x", n)`
	for _, tc := range []struct {
		script   sandtrap.Script
		kind     sandtrap.Kind
		out, err int    // bytes
		x        any    // as it is in process
		apart    string // of a worker: in the error
	}{
		{script: sandtrap.Script{Text: "s := strings.Repeat(\"x\", n/2); fmt.Print(s); fmt.Fprint(os.Stderr, s, 1)"}, out: large / 2, err: large/2 + 1},
		{script: sandtrap.Script{Text: "for range 66 { fmt.Print(strings.Repeat(\"x\", n/66)) }; panic(1)"}, kind: sandtrap.KindPanic, out: large},
		{script: sandtrap.Script{Text: "fmt.Print(" + text + ")", Stdout: io.Discard}, out: large},
		{script: sandtrap.Script{Text: "panic(" + text + ")"}, kind: sandtrap.KindPanic},
		{script: sandtrap.Script{Text: "err := os.WriteFile(\"a\", make([]byte, n), 0o600); st, _ := os.Stat(\"a\"); x := st.Size() == int64(n) && err == nil"}, x: true},
		{script: sandtrap.Script{Text: "x := len(in)", Inputs: map[string]any{"in": strings.Repeat("x", large)}}, x: large, apart: "the script and its inputs are "},
		{script: sandtrap.Script{Text: "x := size(" + text + ")"}, x: large, apart: "give it parts"},
		{script: sandtrap.Script{Text: "x := len(text())"}, x: large, apart: "have it return parts"},
		{script: sandtrap.Script{Text: "x, err := try(" + text + "); if err != nil { panic(err) }"}, x: large, apart: "try gets arguments of "},
		{script: sandtrap.Script{Text: "result := " + text, Result: new(string)}, kind: sandtrap.KindContract},
	} {
		t.Run(tc.script.Text, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if b.Engine == "yaegi" {
					b.Skip("what crosses is the same with each engine, and this one takes long for it")
				}
				b.OnceApart()
				res, err := b.Box(p).Run(b.Context(), tc.script)
				if tc.apart != "" && b.Isolation != sandtrap.None {
					if err == nil || !strings.Contains(err.Error(), tc.apart) || errors.Is(err, sandtrap.KindWorker) {
						b.Errorf("got %.200v", err)
					}
					return
				}
				kind := sandtrap.Kind("")
				if res.Error != nil {
					kind = res.Error.Kind
				}
				if kind != tc.kind || (err == nil) != (kind == "") || len(res.Stdout) != tc.out || len(res.Stderr) != tc.err || res.Vars["x"] != tc.x {
					b.Errorf("got %d and %d bytes, x %v, %q %.200v", len(res.Stdout), len(res.Stderr), res.Vars["x"], kind, err)
				}
			})
		})
	}
}
