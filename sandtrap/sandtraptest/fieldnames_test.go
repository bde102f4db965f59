package sandtraptest

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// showing are scripts whose results have texts in each field of a Result.
var showing = map[string]string{
	"all": `
type pair[K comparable, V any] struct { Key K; Val V }
func (p pair[K, V]) swap(f func(V) V) (out pair[K, V]) { defer func() { out.Val = f(p.Val) }(); return p }
p := pair[string, int]{"a", 1}
q := p.swap(func(v int) int { return v + 1 })
f, m, c, e := p.swap, map[any]any{p: &q, 1: func() {}}, make(chan pair[int, error], 1), fmt.Errorf("at %T %v %#v", q, q, p)
seq := func(yield func(int, pair[string, int]) bool) { for i := range 3 { if !yield(i, p) { return } } }
for i, x := range seq { fmt.Println(i, x) }
pc, file, line, ok := runtime.Caller(0)
name := runtime.FuncForPC(pc).Name()
var it any = p
fmt.Printf("%T %T %T %T %+v %#v\n", p, f, m, seq, reflect.TypeOf(it), it)
println("on stderr", len(m))
func() { defer func() { fmt.Println(recover()); fmt.Print(string(debug.Stack())) }(); _ = it.(fmt.Stringer) }()
p
f
it
tool(q.Val)
_, _ = line, ok`,
	"panic":    "type t struct{ f func() }\nfunc (x *t) call() { for range 2 { defer func() { x.f() }(); x.f() } }\n(&t{func() { var m map[string]int; m[\"a\"] = 1 }}).call()",
	"error":    "type e[T any] struct{ v T }\nfunc (x e[T]) Error() string { return fmt.Sprintf(\"%T\", x) }\npanic(e[int]{1})",
	"deadlock": "c := make(chan int)\nfor i := range 3 { go func() { c <- i; select {} }() }\n<-c\nvar mu sync.Mutex\nmu.Lock()\nmu.Lock()",
	"depth":    "type n struct{}\nfunc (x n) f(g func()) { g(); x.f(g) }\nn{}.f(func() {})",
	"ticks":    "for i := range 1 << 40 { func() { _ = i }() }",
	"memory":   "l := [][]byte{}\nfor { l = append(l, make([]byte, 1<<20)) }",
	"timeout":  "time.Sleep(time.Hour)",
	"type":     "x := 1 + \"a\"\ny := nothing\nfor i := range nothing { i() }",
	"denied":   "import \"os/exec\"\nexec.Command(\"ls\")",
	"tool":     "fmt.Print(tool(-1))",
}

// TestNoNamesOfOurs: no field of a Result, at any depth, has a name that gates, frames of the host or handles have: not of
// runs that end well, and not of those that panic, are refused or are stopped. Nor have the bindings of a session.
func TestNoNamesOfOurs(t *testing.T) {
	ours := []string{abi.Prefix, "github.com/sandtrap-go", "sandtrap/", "gates.", "builtins.", "engine.", "exec.", "vm.", "carry.", "border.", "reflect.makeFuncStub", "runtime.gopanic", "interp.", "/usr/", ".go:0"}
	for name, src := range showing {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				ours := ours
				if b.Engine == "yaegi" { // its echo and its types are those of its interpreter
					ours = []string{abi.Prefix, abi.Path}
				}
				p := pure()
				p.Std, p.Echo = append(p.Std, "runtime", "runtime/debug", "reflect", "sync", "time"), sandtrap.EchoAll
				p.Funcs = map[string]any{"tool": func(n int) []int { return make([]int, n) }}
				if name == "timeout" {
					p.Limits.Timeout = 200 * time.Millisecond
				}
				box := b.Box(p)
				runs := []interface {
					Run(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, error)
				}{box}
				bindings := func() []sandtrap.Binding { return nil }
				if b.Engine != "yaegi" { // which has no sessions
					s, err := box.Session()
					if err != nil {
						b.Fatal(err)
					}
					defer s.Close()
					runs = append(runs, s)
					bindings = func() []sandtrap.Binding { list, _ := s.Bindings(); return list }
				}
				for _, run := range runs {
					res, err := run.Run(b.Context(), sandtrap.Script{Text: src, Prints: true})
					if (err == nil) != (name == "all") && !(b.Engine == "yaegi" && engineRefused(res)) {
						b.Fatal(err)
					}
					res.Isolation = sandtrap.Status{} // the host's
					texts := textsOf(reflect.ValueOf([]any{res, bindings(), fmt.Sprint(err)}), 0)
					if len(texts) < 5 {
						b.Errorf("only %q", texts)
					}
					for _, text := range texts {
						for _, o := range ours {
							if strings.Contains(text, o) && !(o == "exec." && name == "denied") {
								b.Errorf("%q has %q", text, o)
							}
						}
					}
				}
			})
		})
	}
}

// textsOf are all texts in v.
func textsOf(v reflect.Value, depth int) (list []string) {
	if !v.IsValid() || depth > 12 {
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		return []string{v.String()}
	case reflect.Interface, reflect.Pointer:
		if v.CanInterface() {
			if e, ok := v.Interface().(fmt.Stringer); ok && !v.IsNil() {
				list = append(list, e.String())
			}
		}
		return append(list, textsOf(v.Elem(), depth+1)...)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				list = append(list, textsOf(v.Field(i), depth+1)...)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			list = append(list, textsOf(v.Index(i), depth+1)...)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			list = append(list, textsOf(it.Key(), depth+1)...)
			list = append(list, textsOf(it.Value(), depth+1)...)
		}
	}
	return list
}
