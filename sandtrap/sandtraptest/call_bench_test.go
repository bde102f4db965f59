package sandtraptest

import (
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// BenchmarkMemberCall calls members of the standard library in a loop. The wanted times are for a quiet
// machine, without the 4 ns that the loop takes.
func BenchmarkMemberCall(b *testing.B) {
	const calls = 100_000
	for _, tc := range []struct {
		name, before, call string
		wanted             float64 // nanoseconds
	}{
		{"unicode.IsSpace", `r := 'x'`, `_ = unicode.IsSpace(r)`, 60},
		{"utf8.RuneLen", `r := 'x'`, `_ = utf8.RuneLen(r)`, 60},
		{"bytes.IndexByte", `s := []byte("abcdefgh")`, `_ = bytes.IndexByte(s, 'd')`, 60},
		{"Duration.Seconds", `d := time.Second`, `_ = d.Seconds()`, 60},
		{"Rand.Float64", `r := rand.New(rand.NewSource(1))`, `_ = r.Float64()`, 60},
		{"Rand.Intn", `r := rand.New(rand.NewSource(1))`, `_ = r.Intn(10)`, 60},
		{"time.Now", ``, `_ = time.Now()`, 120},
		{"reflect.Value.Kind", `v := reflect.ValueOf(1)`, `_ = v.Kind()`, 100},
		{"strings.Contains", `s := "abcdefgh"`, `_ = strings.Contains(s, "d")`, 60},
		{"Builder.WriteByte", `var s strings.Builder`, `s.WriteByte('x')`, 60},
	} {
		b.Run(tc.name, func(b *testing.B) {
			box, err := sandtrap.New(b.Context(), sandtrap.Policy{Std: sandtrap.StdDefault()})
			if err != nil {
				b.Fatal(err)
			}
			defer box.Close()
			text := fmt.Sprintf("%s\nfor range %d {\n%s\n}\n", tc.before, calls, tc.call)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := box.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/calls, "ns/call")
			b.ReportMetric(tc.wanted, "wanted")
		})
	}
}
