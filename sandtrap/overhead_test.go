package sandtrap

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"
)

// BenchmarkOverhead sets what the whole way of a script costs beside the bare
// interpreter yaegi, in one run: compare the rows of a group by ratio.
func BenchmarkOverhead(b *testing.B) {
	for _, group := range []struct{ name, src string }{
		{"loop100k", "package main\n\nfunc main() {\n\ts := 0\n\tfor i := 0; i < 100000; i++ {\n\t\ts += i\n\t}\n}\n"},
		{"hello", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Print(\"hello\") }\n"},
		{"compile1000", thousandLines()},
	} {
		for _, engine := range []string{"vm", "yaegi"} {
			b.Run(group.name+"/"+engine, func(b *testing.B) { benchmarkWay(b, engine, group.src) })
		}
		b.Run(group.name+"/raw", func(b *testing.B) { benchmarkRaw(b, group.src) })
	}
}

// benchmarkWay takes a script from text to result with a policy compiled once. Each
// text is new, so that no program is kept from the run before.
func benchmarkWay(b *testing.B, engine, src string) {
	ctx := context.Background()
	plan, err := Compile(Policy{Std: []string{"fmt"}, Engine: engine})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		box, err := plan.New(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := box.Run(ctx, Script{Text: fmt.Sprintf("%s// %d\n", src, n)}); err != nil {
			b.Fatal(err)
		}
		box.Close()
	}
}

// benchmarkRaw is the interpreter alone, with one function of one package under a
// path that does not make it load more.
func benchmarkRaw(b *testing.B, src string) {
	b.ReportAllocs()
	for b.Loop() {
		i := interp.New(interp.Options{Stdout: io.Discard, Stderr: io.Discard})
		err := i.Use(interp.Exports{"fmt/x": {"Print": reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(io.Discard, a...) })}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := i.Eval(strings.Replace(src, `import "fmt"`, `import fmt "fmt"`, 1)); err != nil {
			b.Fatal(err)
		}
	}
}

// thousandLines is a program of 1,000 lines that does nothing.
func thousandLines() string {
	var s strings.Builder
	s.WriteString("package main\n\nfunc main() {}\n")
	for i := range 99 {
		fmt.Fprintf(&s, "\nfunc f%d(n int, s string) int {\n\tt := 0\n\tfor i := 0; i < n; i++ {\n\t\tif i%%2 == 0 {\n\t\t\tt += i * len(s)\n\t\t}\n\t}\n\treturn t\n}\n", i)
	}
	return s.String()
}
