package memory

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// garbage are bodies of a loop in which functions of the library make large values, of which a script
// holds one at a time.
var garbage = map[string]string{
	"texts":        "s := strings.Repeat(\"x\", 8<<20); n += len(s)",
	"two texts":    "s := strings.Repeat(\"x\", 4<<20); t := strings.ToUpper(s); n += len(s) + len(t)",
	"bytes":        "b := bytes.Repeat([]byte(\"x\"), 8<<20); n += len(b)",
	"builders":     "var b strings.Builder; b.Grow(8<<20); b.WriteString(\"x\"); n += len(b.String())",
	"buffers":      "var b bytes.Buffer; b.Grow(8<<20); b.WriteString(\"x\"); n += len(b.String())",
	"work memory":  "l := make([]int, 1<<20); l[0] = 1; sort.Ints(l)",
	"numbers":      "x := new(big2.Int).Lsh(big2.NewInt(1), 8<<23); n += x.BitLen()",
	"in functions": "strings.FieldsFunc(\"a b\", func(rune) bool { n += len(strings.Repeat(\"x\", 8<<20)); return false })",
}

// TestGarbageBeside: a script that holds one large value of the library's at a time is not stopped,
// where nobody can tell from the heap of the process what is gone: the host has come to hold much else
// since the run began.
func TestGarbageBeside(t *testing.T) {
	for name, body := range rig.Some(garbage, 4) {
		t.Run(name, func(t *testing.T) {
			var hosts [][]byte
			grow := func() {
				grown := make(chan bool)
				go func() {
					hosts = append(hosts, make([]byte, 4*memoryLimit))
					close(grown)
				}()
				<-grown
			}
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{"grow": grow}, Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: time.Minute}}
			src := "import big2 \"math/big\"\nbig := strings.Repeat(\" \", 8<<20)\nn := 0\nbody := func(i int) {\n" + body + "\n}\nfor i := range 3 { body(i) }\ngrow()\nfor i := range 60 { body(i) }\n_ = big2.MaxBase\nn += len(big)"
			res, err := rig.RunOnce(t, p, src)
			if err != nil {
				t.Error(err)
			}
			if res.AllocBytes < 4*memoryLimit {
				t.Errorf("%d bytes in all are no test of garbage", res.AllocBytes)
			}
			runtime.KeepAlive(hosts)
		})
	}
}

// TestCells: what the host has made for a cell, and nobody holds, is not charged to later cells of the session; what
// they hold is.
func TestCells(t *testing.T) {
	for _, tc := range []struct {
		name, cell string
		stops      bool
	}{
		{"garbage", "for range 40_000 { fmt.Println(strings.Repeat(\"x\", 1000)) }", false},
		{"held", "for range 20 { kept = append(kept, new(big.Int).Lsh(big.NewInt(1), 1<<20)) }", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 8 << 20, Output: 1000, Timeout: time.Minute}}
			box, err := sandtrap.New(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			s, err := box.Session()
			if err != nil {
				t.Fatal(err)
			}
			run := func(text string) bool {
				_, err := s.Run(t.Context(), sandtrap.Script{Text: text})
				if err != nil && !errors.Is(err, sandtrap.KindMemory) {
					t.Fatal(err)
				}
				return err == nil
			}
			run("var kept []*big.Int")
			stopped := false
			for range 12 {
				stopped = stopped || !run(tc.cell) || !run("a := make([]byte, 1<<20); _ = a")
			}
			if stopped != tc.stops {
				t.Errorf("stopped for memory: %v, want %v", stopped, tc.stops)
			}
		})
	}
}
