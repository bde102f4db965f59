package builtins

import (
	"encoding"
	"flag"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"
	"testing"

	shimflag "github.com/sandtrap-go/sandtrap/builtins/internal/shim/flag"
	shimfmt "github.com/sandtrap-go/sandtrap/builtins/internal/shim/fmt"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// TestReadNumbersArePaidFor: a number of math/big with many digits is paid for by whatever route it
// is read. Reading so many takes more than 50 ms, which is 5 million ticks.
func TestReadNumbersArePaidFor(t *testing.T) {
	const digits, ticks, bytes = 200_000, 5_000_000, 60_000
	table := tableOf(t, Std()...)
	long := strings.Repeat("9", digits)
	fn := func(path, name string) Ref { return Ref{Kind: abi.BindFunc, Path: path, Name: name} }
	routes := map[string]func(e *Env, z any){
		"Sscan": func(e *Env, z any) {
			_, _ = value[func(string, ...any) (int, error)](t, e, fn("fmt", "Sscan"))(long, z)
		},
		"Sscanln": func(e *Env, z any) {
			_, _ = value[func(string, ...any) (int, error)](t, e, fn("fmt", "Sscanln"))(long, z)
		},
		"Sscanf": func(e *Env, z any) {
			_, _ = value[func(string, string, ...any) (int, error)](t, e, fn("fmt", "Sscanf"))(long, "%v", z)
		},
		"Fscan": func(e *Env, z any) {
			_, _ = value[func(io.Reader, ...any) (int, error)](t, e, fn("fmt", "Fscan"))(strings.NewReader(long), z)
		},
		"Fscan, no runes": func(e *Env, z any) {
			_, _ = value[func(io.Reader, ...any) (int, error)](t, e, fn("fmt", "Fscan"))(io.MultiReader(strings.NewReader(long)), z)
		},
		"Scan": func(e *Env, z any) {
			e.Stdin = strings.NewReader(long)
			_, _ = value[func(...any) (int, error)](t, e, fn("fmt", "Scan"))(z)
		},
		"own Scan": func(e *Env, z any) { _, _ = fmt.Sscan(long, &callsScan{e, z}) },
		"TextVar":  func(e *Env, z any) { _ = flagsOf(e, z).Parse([]string{"-z", long}) },
		"TextVar, Set": func(e *Env, z any) {
			_ = flagsOf(e, z).Lookup("z").Value.Set(long)
		},
	}
	for name, route := range routes {
		for _, z := range []any{new(big.Int), new(big.Rat), new(big.Float).SetPrec(1 << 20)} {
			t.Run(fmt.Sprintf("%s/%T", name, z), func(t *testing.T) {
				charged, worked := int64(0), int64(0)
				enough := func() {
					if charged >= bytes && worked >= ticks {
						panic(shimtest.ErrRefused)
					}
				}
				e := &Env{Gates: shimtest.Gates{OnCharge: func(n int64) { charged += n; enough() }, OnWork: func(n int64) { worked += n; enough() }}}
				table.Serve(e)
				shimtest.Outcome(func() { route(e, z) })
				if charged < bytes || worked < ticks {
					t.Errorf("charged %d bytes and %d ticks, want %d and %d", charged, worked, bytes, ticks)
				}
			})
		}
	}
}

// callsScan is a script's own type that scans a number in its Scan method.
type callsScan struct {
	e *Env
	z any
}

func (c *callsScan) Scan(s fmt.ScanState, verb rune) error {
	f, err := c.e.Method(reflect.TypeOf(c.z), "Scan")
	if err != nil {
		return err
	}
	switch f := f.Interface().(type) {
	case func(*big.Int, fmt.ScanState, rune) error:
		return f(c.z.(*big.Int), s, verb)
	case func(*big.Rat, fmt.ScanState, rune) error:
		return f(c.z.(*big.Rat), s, verb)
	case func(*big.Float, fmt.ScanState, rune) error:
		return f(c.z.(*big.Float), s, verb)
	}
	return fmt.Errorf("Scan is a %v", f.Type())
}

func flagsOf(e *Env, z any) *shimflag.FlagSet {
	f := shimflag.NewFlagSet(e)("x", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.TextVar(z.(encoding.TextUnmarshaler), "z", z.(encoding.TextMarshaler), "")
	return f
}

// TestScannedNumbers: they are those of Go.
func TestScannedNumbers(t *testing.T) {
	e := &Env{}
	for _, text := range []string{"12", "-0x1f", "  7/8 rest", "1.5e3", "1e-2000", "0x1p-3", "", "abc", "+", "1/0"} {
		for _, made := range []func() any{func() any { return new(big.Int) }, func() any { return new(big.Rat) }, func() any { return new(big.Float) }} {
			want, got := made(), made()
			wantN, wantErr := fmt.Sscan(text, want)
			gotN, gotErr := shimfmt.Sscan(e)(text, got)
			if gotN != wantN || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q into %T: %v, %d, %v; Go: %v, %d, %v", text, got, got, gotN, gotErr, want, wantN, wantErr)
			}
		}
	}
}
