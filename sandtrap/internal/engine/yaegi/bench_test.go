package yaegi

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

var benchmarks = []struct{ name, src string }{
	{"hello", `package main
import "fmt"
func main() { fmt.Print("hello") }`},
	{"loop", `package main
func main() { s := 0; for i := 0; i < 100000; i++ { s += i } }`},
	{"call", `package main
func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func main() { fib(18) }`},
}

// BenchmarkGated includes load and run, not the rewriter.
func BenchmarkGated(b *testing.B) {
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			f := mustCompile(b, bm.src)
			b.ReportAllocs()
			for b.Loop() {
				l, err := Engine{}.Load(f.program, nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				m := gates.NewMeter(context.Background(), gates.Limits{})
				if o := l.Run(engine.Run{Host: showAll{}, Meter: m, Bind: f.values, Types: f.types}); o.Fault != nil {
					b.Fatal(o.Fault)
				}
			}
		})
	}
}

// BenchmarkRaw is the interpreter alone, with the one package that is used under a
// path that does not make it load more.
func BenchmarkRaw(b *testing.B) {
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var out strings.Builder
				i := interp.New(interp.Options{Stdout: &out, Stderr: &out})
				if err := i.Use(interp.Exports{"fmt/x": {"Print": reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(io.Discard, a...) })}}); err != nil {
					b.Fatal(err)
				}
				if _, err := i.Eval(strings.Replace(bm.src, `import "fmt"`, `import fmt "fmt"`, 1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
