package resident

import (
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestOneAtATime: a script that holds one large block at a time is not stopped for memory, however
// many it has let go of.
func TestOneAtATime(t *testing.T) {
	many := 200
	if testing.Short() {
		many = 140 // more than twice the limit, in blocks of 1 MiB too
	}
	scripts := map[string]string{
		"sorted":     "for range 10 { l := make([]int, 2<<20); sort.Ints(l) }",
		"copies":     fmt.Sprintf("b := make([]byte, 8<<20)\nvar c []byte\nfor range %d { c = slices.Clone(b) }\n_ = c", many/4),
		"texts":      fmt.Sprintf("b := make([]byte, 8<<20)\ns := \"\"\nfor range %d { s = string(b) }\n_ = s", many/4),
		"named":      fmt.Sprintf("var b []time.Duration\nfor range %d { b = make([]time.Duration, 1<<20) }\n_ = b", many/4),
		"in a list":  fmt.Sprintf("l := list.New()\nfor range %d { l.Init(); l.PushBack(json.RawMessage(make([]byte, 8<<20))) }", many/4),
		"of structs": fmt.Sprintf("type T struct { a int; b string }\nvar b []T\nfor range %d { b = make([]T, 1<<18) }\n_ = b", many/4),
	}
	for _, size := range []int{1, 4, 8, 16, 24} {
		scripts[fmt.Sprint(size, " MiB")] = fmt.Sprintf("var b []byte\nfor i := range %d { b = make([]byte, %d<<20); b[i] = 1 }\n_ = b", many*8/max(8, size), size)
	}
	for name, text := range scripts {
		t.Run(name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: limit, Timeout: time.Minute}})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			start := time.Now()
			res, err := box.Run(t.Context(), sandtrap.Script{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v, %d MiB in all", time.Since(start).Round(time.Millisecond), res.AllocBytes>>20)
			if res.AllocBytes < limit*2 {
				t.Errorf("%d MiB in all are no test of garbage", res.AllocBytes>>20)
			}
		})
	}
}
