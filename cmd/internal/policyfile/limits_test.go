package policyfile

import (
	"math"
	"reflect"
	"testing"
	"time"

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
		text := LimitsText(&want)
		if err := New(&got).decode([]byte("limits:\n" + text)); err != nil || got.Limits != want {
			t.Errorf("%v\n%+v, want\n%+v from\n%s", err, got.Limits, want, text)
		}
	}
}

func TestParseSize(t *testing.T) {
	for _, tc := range []struct {
		text string
		want int64
		fail bool
	}{
		{text: "64MiB", want: 64 << 20},
		{text: "1.5GB", want: 1_500_000_000},
		{text: "512KB", want: 512_000},
		{text: "512MB", want: 512_000_000},
		{text: "1gib", want: 1 << 30},
		{text: "10 MiB", want: 10 << 20},
		{text: "4096", want: 4096},
		{text: "7B", want: 7},
		{text: "0", want: 0},
		{text: "0MiB", want: 0},
		{text: "", fail: true},
		{text: "MiB", fail: true},
		{text: "-1", fail: true},
		{text: "-1KB", fail: true},
		{text: "NaN", fail: true},
		{text: "inf", fail: true},
		{text: "1e30GB", fail: true},
		{text: "0.1", fail: true},
		{text: "0x10", fail: true},
		{text: "12 parsecs", fail: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got := int64(-1)
			err := parseSize(tc.text, &got)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if !tc.fail && got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

func TestParseProcessors(t *testing.T) {
	for text, want := range map[string]float64{"2": 2, "0.5": 0.5, "1.5": 1.5, "0": 0, "": -1, "-1": -1, "NaN": -1, "inf": -1, "0x1p1": -1, "half": -1, "2 cpus": -1} {
		var got processors
		if err := got.Set(text); (err != nil) != (want < 0) || err == nil && float64(got) != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseTimeout(t *testing.T) {
	for _, tc := range []struct {
		text string
		want time.Duration
		fail bool
	}{
		{text: "5s", want: 5 * time.Second},
		{text: "1m30s", want: 90 * time.Second},
		{text: "0", want: sandtrap.Forever},
		{text: "0s", want: sandtrap.Forever},
		{text: "5", fail: true},
		{text: "-5s", fail: true},
	} {
		t.Run(tc.text, func(t *testing.T) {
			var got timeout
			err := got.Set(tc.text)
			if (err != nil) != tc.fail {
				t.Fatalf("error %v, want one: %v", err, tc.fail)
			}
			if time.Duration(got) != tc.want {
				t.Errorf("got %v, want %v", time.Duration(got), tc.want)
			}
		})
	}
}
