package sandtraptest

import (
	"strings"
	"testing"
)

// TestErrorsCross: an error of the script's own type that cannot be copied to the worker ends a run
// with its text and its stack, and what wraps it has its text.
func TestErrorsCross(t *testing.T) {
	const src = `type failed struct{ why string; done chan int }

func (f *failed) Error() string { return "failed: " + f.why }
func fail() error { return &failed{"no", make(chan int)} }
func deep() { panic(fail()) }

wrapped := fmt.Errorf("twice: %w", fail())
if len(os.Args) > 0 { deep() }`
	eachMode(t, func(b bench) {
		res, _ := b.RunOnce(pure(), src)
		if b.RefusedByEngine(res) {
			return
		}
		if e := res.Error; e == nil || !strings.Contains(e.Message, "failed: no") || len(e.Stack) < 2 || e.Stack[0].Func != "main.deep" || e.Stack[0].Pos.Line != 5 {
			b.Errorf("the panic: %+v", e)
		}
		if err, ok := res.Vars["wrapped"].(error); !ok || err.Error() != "twice: failed: no" || res.Types["wrapped"] != "error" {
			b.Errorf("what wraps it: %v of type %s", res.Vars["wrapped"], res.Types["wrapped"])
		}
	})
}
