package base64core_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/base64core"
)

// TestOf: whatever stands around a value, its base64 has one of the texts; that of another value has none.
func TestOf(t *testing.T) {
	for _, value := range []string{"S3cr", "ghp_S3cr+t/Val=ue<&>?x", "\xff\xfe\xfd\xfc\xfb", strings.Repeat("?>", 20)} {
		cores := base64core.Of(value)
		found := func(text string) bool {
			return slices.ContainsFunc(cores, func(core string) bool { return strings.Contains(text, core) })
		}
		for before := range 7 {
			for after := range 4 {
				text := []byte(strings.Repeat("\xa5", before) + value + strings.Repeat("\x5a", after))
				for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
					if encoded := e.EncodeToString(text); !found(encoded) {
						t.Errorf("%q in %s: %q", value, encoded, cores)
					}
				}
				text[before+1] ^= 1
				if encoded := base64.StdEncoding.EncodeToString(text); found(encoded) {
					t.Errorf("another value than %q: %s has one of %q", value, encoded, cores)
				}
			}
		}
	}
}
