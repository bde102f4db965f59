package sandtraptest

import (
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestUsage: while a script runs its host sees what the worker uses up, and nothing when it is over.
func TestUsage(t *testing.T) {
	eachMode(t, func(b bench) {
		var box *sandtrap.Sandbox
		var seen [][]isolate.Usage
		p := pure()
		p.Limits = sandtrap.Limits{Memory: 64 << 20}
		p.Funcs = map[string]any{
			"look": func() { seen = append(seen, box.Usage()) },
			"more": func() bool { // until it shows in the processors' time
				now := box.Usage()
				return len(now) == 1 && now[0].CPU < seen[1][0].CPU+50*time.Millisecond
			},
		}
		box = b.Box(p)
		_, err := box.Run(b.Context(), sandtrap.Script{Text: `
look()
kept := make([]byte, 40<<20)
for i := 0; i < len(kept); i += 4096 { kept[i] = 1 }
look()
kept = nil
for more() { for range 100_000 {} }
look()`})
		if err != nil {
			b.Fatal(err)
		}
		if b.Isolation == sandtrap.None {
			if len(seen) != 3 || len(seen[0])+len(seen[2]) > 0 {
				b.Errorf("without workers: %v", seen)
			}
			return
		}
		if len(seen) != 3 || len(seen[0]) != 1 || len(seen[1]) != 1 || len(seen[2]) != 1 {
			b.Fatalf("seen %v", seen)
		}
		first, full, last := seen[0][0], seen[1][0], seen[2][0]
		if first.Memory < 1<<20 || full.Memory < first.Memory+30<<20 || last.Peak < full.Memory || first.Threads < 3 {
			b.Errorf("%+v, then %+v, then %+v", first, full, last)
		}
		if after := box.Usage(); len(after) != 0 {
			b.Errorf("after the run: %+v", after)
		}
		s, err := box.Session()
		if err != nil {
			b.Fatal(err)
		}
		if n := len(box.Usage()); n != 1 {
			b.Errorf("a session has %d workers", n)
		}
		s.Close()
		if n := len(box.Usage()); n != 0 {
			b.Errorf("when it is closed there are %d", n)
		}
	})
}
