package cli

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLimitsRoundTrip: the command knows each limit of a policy, and what it writes of one it reads again. So a limit
// that is new has a row, or this fails.
func TestLimitsRoundTrip(t *testing.T) {
	for _, zero := range []bool{false, true} {
		var want sandtrap.Limits
		for field, v := range reflect.ValueOf(&want).Elem().Fields() {
			switch {
			case zero:
			case v.CanInt():
				v.SetInt(int64(4096 + field.Index[0]))
			case v.CanFloat():
				v.SetFloat(1.5)
			default:
				t.Fatalf("%s: a limit is a number", field.Name)
			}
		}
		if zero {
			want.Timeout, want.Memory = sandtrap.Forever, math.MaxInt64
		}
		var got sandtrap.Policy
		text := limitsText(&want)
		if err := decodePolicy([]byte("limits:\n"+text), &got); err != nil || got.Limits != want {
			t.Errorf("%v\n%+v, want\n%+v from\n%s", err, got.Limits, want, text)
		}
	}
}

// TestLimitsHelp: each flag of a limit has its line.
func TestLimitsHelp(t *testing.T) {
	for _, l := range limits {
		if l.flag != "" && !strings.Contains(runHelp, "\n  --"+l.flag+" "+l.like+" ") {
			t.Errorf("--%s is not in the help", l.flag)
		}
		if l.zero == "" {
			t.Errorf("%s: 0 has no name", l.key)
		}
	}
}
