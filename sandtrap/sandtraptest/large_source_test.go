package sandtraptest

import (
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLargeSource: a source that is too large is rejected, in each mode alike, before it is sent anywhere.
func TestLargeSource(t *testing.T) {
	large := sandtrap.Script{Text: strings.Repeat("x", 65<<20)}
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits.Memory = 16 << 20
		box := b.Box(p)
		for name, do := range map[string]func() error{
			"run":   func() error { _, err := box.Run(b.Context(), large); return err },
			"check": func() error { _, err := box.Check(b.Context(), large); return err },
			"cell": func() error {
				s, err := box.Session()
				if err != nil {
					return err
				}
				defer s.Close()
				_, err = s.Run(b.Context(), large)
				return err
			},
		} {
			if name == "cell" && b.Engine != "vm" {
				continue
			}
			err := do()
			if e, ok := errors.AsType[*sandtrap.Error](err); !ok || e.Kind != sandtrap.KindRejected || !errors.Is(err, sandtrap.ErrRefused) || !strings.Contains(err.Error(), "the source has 68,157,440 bytes; the limit is 262,144") {
				b.Errorf("%s: %v", name, err)
			}
		}
	})
}
