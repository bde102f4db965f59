package sandtraptest

import (
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestHostTime: in a worker what functions of the host take is no time of the script's; what
// it costs to call them is.
func TestHostTime(t *testing.T) {
	eachMode(t, func(b bench) {
		b.Parallel() // it waits
		if b.isolation == sandtrap.None {
			b.Skip("in process a call of the host is part of the script's time")
		}
		const limit = 300 * time.Millisecond
		p := sandtrap.Policy{Std: []string{"fmt", "time"}, Limits: sandtrap.Limits{Timeout: limit}, Funcs: map[string]any{
			"ping": func() {}, "slow": func() { time.Sleep(3 * limit) },
			"nap": sandtrap.Blocking(func() { time.Sleep(3 * limit) }),
		}}
		box := b.box(p)
		for _, tc := range []struct {
			src  string
			want error
		}{
			{"slow()\nslow()", nil},
			{"slow()\nfor {}", sandtrap.ErrTimeout},
			{"for { ping() }", sandtrap.ErrTimeout},
			{"go slow()\nfor {}", sandtrap.ErrTimeout},
			{"nap()", sandtrap.ErrTimeout},
			{"slow()\ntime.Sleep(time.Minute)", sandtrap.ErrTimeout},
		} {
			if res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.src}); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
				b.Errorf("%q: %v, want %v, after %v", tc.src, err, tc.want, res.Duration)
			}
		}
	})
}
