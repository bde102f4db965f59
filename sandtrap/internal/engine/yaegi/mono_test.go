package yaegi

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
)

func TestInstances(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"function", `func f[T any](v T) T { return v }
func main() { print(f(1), f("a"), f[bool](true)) }`, "1atrue"},
		{"chain", `func g[T any](v T) []T { return []T{v} }
func f[K comparable, V any](k K, v V) map[K][]V { return map[K][]V{k: g(v)} }
func main() { m := f("k", 7); print(len(m), m["k"][0]) }`, "17"},
		{"type with methods", `type list[T any] struct { head *node[T]; n int }
type node[T any] struct { v T; next *node[T] }
func (l *list[E]) push(v E) { l.head = &node[E]{v, l.head}; l.n++ }
func (l *list[_]) size() int { return l.n }
func (l *list[T]) each(f func(T)) { for n := l.head; n != nil; n = n.next { f(n.v) } }
func main() { var l list[string]; l.push("a"); l.push("b"); print(l.size()); l.each(func(s string) { print(s) }) }`, "2ba"},
		{"constraint", `type number interface { ~int | ~float64 }
type mine int
func sum[T number](v ...T) (s T) { for _, x := range v { s += x }; return }
func main() { print(sum(1, 2, 3), sum(mine(4), 5)) }`, "69"},
		{"method of a type argument", `type namer interface { name() string }
type a struct{}
func (a) name() string { return "a" }
type b struct{ s string }
func (b *b) name() string { return b.s }
func f[T namer](v T) string { return v.name() }
func main() { print(f(a{}), f(&b{"b"})) }`, "ab"},
		{"embedded", `type base[T any] struct { v T }
func (b base[T]) get() T { return b.v }
type top[T any] struct { base[T]; n int }
func main() { t := top[string]{base: base[string]{"v"}, n: 1}; print(t.base.v, t.v, t.get()) }`, "vvv"},
		{"type switch on the parameter", `func f[T any](v T) string {
	switch any(v).(type) { case int: return "int"; case T: return "T" }
	return "?" }
func main() { print(f(1), f("")) }`, "intT"},
		{"a local variable with a type's name", `type thing struct{ n int }
func f[T any](thing int, v T) (T, int) { w := v; return w, thing }
func main() { v, n := f(3, thing{4}); print(v.n, n) }`, "43"},
		{"function value", `func apply[T, U any](v []T, f func(T) U) (out []U) { for _, x := range v { out = append(out, f(x)) }; return }
func double[T ~int](v T) T { return v * 2 }
func main() { d := double[int]; for _, x := range apply([]int{1, 2}, d) { print(x) } }`, "24"},
		{"generic alias", `type set[T comparable] = map[T]bool
func main() { s := set[string]{"a": true}; print(len(s), s["a"]) }`, "1true"},
		{"pointer constraint", `type setter[T any] interface { *T; set(string) }
type box struct { s string }
func (b *box) set(s string) { b.s = s }
func made[T any, P setter[T]](s string) T { var v T; P(&v).set(s); return v }
func main() { print(made[box]("x").s) }`, "x"},
		{"host types", `import "strings"
type buf[T any] struct { strings.Builder; v T }
func (b *buf[T]) add(s string) { b.WriteString(s) }
func main() { var b buf[int]; b.add("x"); b.add("y"); print(b.String()) }`, "xy"},
		{"recursion", `func fib[T ~int | ~int64](n T) T { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func main() { print(fib(10), fib(int64(7))) }`, "5513"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, _, _, out := runSource(t, "package main\n"+tc.src, gates.Limits{Ticks: 1_000_000})
			if o.Fault != nil || o.Panic != nil || o.Stop != nil || out != tc.want {
				t.Errorf("got %q, %+v; want %q", out, o, tc.want)
			}
		})
	}
}

// TestInstancesAreShownAsGoDoes looks at what a panic tells of instances.
func TestInstancesAreShownAsGoDoes(t *testing.T) {
	o, _, _, _ := runSource(t, `package main
type e[T any] struct{ v T }
func (x e[T]) Error() string { return "e" }
type s[T any] string
func f[T any](v T) { panic(s[T]("text")) }
func main() { f(1) }`, gates.Limits{Ticks: 1_000_000})
	if o.Panic == nil || o.Panic.Text != `main.s[int]("text")` {
		t.Fatalf("got %+v, %+v", o, o.Panic)
	}
	var names []string
	for _, f := range o.Panic.Stack {
		names = append(names, f.Func)
	}
	if got, want := strings.Join(names, " "), "main.f[...] main.main"; got != want {
		t.Errorf("stack: got %q, want %q", got, want)
	}
}

func TestInstancesRefused(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"local type", `func f[T any](v T) (z T) { return }
func main() { type local struct{}; f(local{}) }`, "write the type argument local"},
		{"host method past the gates", `import "time"
type namer interface { String() string }
func f[T namer](v T) string { return v.String() }
func main() { f(time.Second) }`, "call methods of host types through type parameters"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := compiled("package main\n" + tc.src)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Engine{}.Load(f.program, nil, nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}
