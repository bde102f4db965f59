package ends

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// BenchmarkAmplifiers reports how much work amplifiers do after their time, by the clocks of their
// threads: half of them at most p50-µs, and the worst max-µs.
//
//	go test ./sandtrap/sandtraptest/ends -run none -bench Amplifiers -benchtime 1x -v
func BenchmarkAmplifiers(b *testing.B) {
	const given = 200 * time.Millisecond
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: given, Output: 1 << 20},
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var late []time.Duration
		for _, table := range []map[string]string{amplifiers, encoders, found, wide} {
			for _, name := range slices.Sorted(maps.Keys(table)) {
				box, script := amplifierOf(b, plan, table[name])
				var err error
				after := workAfter(given, func(ctx context.Context) time.Duration {
					var res *sandtrap.Result
					res, err = box.Run(ctx, script)
					return res.Duration
				})
				b.Logf("%s: %s, %v after the time", name, kindOf(err), after)
				late = append(late, after)
			}
		}
		slices.Sort(late)
		b.ReportMetric(micros(late[len(late)/2]), "p50-µs")
		b.ReportMetric(micros(late[len(late)-1]), "max-µs")
	}
	b.ReportMetric(0, "ns/op") // is the time that they were given
}

func kindOf(err error) string {
	if e := (*sandtrap.Error)(nil); errors.As(err, &e) {
		return string(e.Kind)
	}
	return fmt.Sprint(err)
}
