package sandtraptest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// Types as hosts register them.
type (
	Sku   string
	Money int64

	Entry struct {
		Sku Sku
		Qty int
		Tag map[string]string
	}

	Heading struct {
		ID   int
		When time.Time
	}

	Order struct {
		Heading
		Entries []Entry
		Note    *string
		Meta    map[string]Entry
		total   Money
	}

	Shipper interface {
		Ship(to string) (string, error)
	}

	truck struct{ trips int }

	NotFound struct{ Key string }

	Ledger struct {
		Owner   string
		balance Money
		mu      sync.Mutex
	}
)

func (m Money) String() string                  { return fmt.Sprintf("$%d.%02d", int64(m)/100, int64(m)%100) }
func (b Heading) Label() string                 { return fmt.Sprintf("#%d", b.ID) }
func (o *Order) Add(l Entry)                    { o.Entries = append(o.Entries, l); o.total += Money(l.Qty * 100) }
func (o *Order) Total() Money                   { return o.total }
func (o Order) Count() int                      { return len(o.Entries) }
func (e *NotFound) Error() string               { return "no " + e.Key }
func (e *NotFound) Is(target error) bool        { return target == fs.ErrNotExist }
func (t *truck) Ship(to string) (string, error) { t.trips++; return fmt.Sprint(to, t.trips), nil }
func (a *Ledger) Deposit(m Money) (Money, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m <= 0 {
		return a.balance, fmt.Errorf("deposit %v: %w", m, errBad)
	}
	a.balance += m
	return a.balance, nil
}

var errBad = errors.New("bad amount")

func largest[T cmp.Ordered](list ...T) T { return slices.Max(list) }

// A registration is what a host registers, and a script that uses it.
type registration struct {
	name  string
	funcs func() map[string]any
	types map[string]any
	src   string
	kind  sandtrap.Kind

	inputs map[string]any
	copied bool                          // see Script.Copy
	result func() any                    // see Script.Result
	err    string                        // of Run, which is about no script
	after  func(*sandtrap.Result) string // what the host does with the result, and sees

	differs string // why it does in a worker
}

var registrations = []registration{
	{name: "variadic", funcs: one("sum", func(p string, n ...int) string { return fmt.Sprint(p, len(n), n == nil, n) }),
		src: `fmt.Println(sum("a"), sum("b", 1, 2), sum("c", []int{3}...), sum("d", nil...))`},
	{name: "variadic of any", funcs: one("show", func(v ...any) string { return fmt.Sprintf("%T %v", v, v) }),
		src: `fmt.Println(show(1, "a", nil, []int{1}, map[string]any{"k": 1.5}, int8(3), 'x', time.Second))`},
	{name: "wrapped errors", funcs: one("find", func(k string) error { return fmt.Errorf("find: %w", &NotFound{k}) }), types: map[string]any{"NotFound": (*NotFound)(nil)},
		src: `err := find("x"); var nf *reg.NotFound
fmt.Println(err, errors.As(err, &nf), nf.Key, errors.Is(err, fs.ErrNotExist), errors.Is(err, io.EOF), errors.Unwrap(err) == error(nf))`},
	{name: "joined errors", funcs: one("all", func() error { return errors.Join(io.EOF, fmt.Errorf("x: %w", fs.ErrExist)) }),
		src: `err := all(); fmt.Println(errors.Is(err, io.EOF), errors.Is(err, fs.ErrExist), strings.ReplaceAll(err.Error(), "\n", "|"))`},
	{name: "error given back", funcs: func() map[string]any {
		var was error
		return map[string]any{"fail": func() error { was = fmt.Errorf("number %d", 7); return was }, "same": func(err error) bool { return err == was }}
	}, src: `err := fail(); fmt.Println(same(err), same(errors.New("number 7")), same(nil))`},
	{name: "error of the script for the host", funcs: one("text", func(err error) string { return fmt.Sprintf("%v %t", err, errors.Is(err, io.EOF)) }),
		src: `fmt.Println(text(fmt.Errorf("mine: %w", io.EOF)), text(nil), text(errors.New("plain")))`},
	{name: "several results", funcs: one("parse", strconv.ParseInt), src: `n, err := parse("12x", 10, 64); fmt.Println(n, err); var ne *strconv.NumError; fmt.Println(errors.As(err, &ne), ne != nil && ne.Func == "ParseInt")`},
	{name: "context first", funcs: one("who", func(ctx context.Context, n int) string {
		_, has := ctx.Deadline()
		return fmt.Sprint(n, has, ctx.Err())
	}),
		src: `fmt.Println(who(3))`},
	{name: "generic, instantiated", funcs: func() map[string]any { return map[string]any{"maxInt": largest[int], "maxText": largest[string]} },
		src: `fmt.Println(maxInt(3, 9, 2), maxText("a", "c", "b"))`},
	{name: "maps of structs", funcs: one("stock", func(m map[string]Entry) map[Sku][]Entry {
		out := map[Sku][]Entry{}
		for k, l := range m {
			l.Qty++
			out[Sku(k)] = []Entry{l}
		}
		return out
	}), types: map[string]any{"Entry": (*Entry)(nil), "Sku": (*Sku)(nil)},
		src: `m := stock(map[string]reg.Entry{"a": {Sku: "x", Qty: 1}, "b": {Tag: map[string]string{"t": "u"}}})
fmt.Printf("%v %+v %T\n", m["a"], m["b"], m)`},
	{name: "pointers to pointers", funcs: one("deep", func(p **int) **int { n := **p + 1; q := &n; return &q }), src: `n := 4; p := &n; r := deep(&p); fmt.Println(**r, n)`},
	{name: "written through a pointer", differs: "arguments are copies", funcs: one("bump", func(p *int, pp **int) { *p++; n := 40; *pp = &n }), src: `n, m := 1, 2; q := &m; bump(&n, &q); fmt.Println(n, m, *q)`},
	{name: "embedded structs", types: map[string]any{"Order": (*Order)(nil), "Entry": (*Entry)(nil), "Heading": (*Heading)(nil), "Money": (*Money)(nil), "Sku": (*Sku)(nil)},
		funcs: one("order", func(id int) *Order { return &Order{Heading: Heading{ID: id, When: time.Unix(0, 0).UTC()}} }),
		src:   `o := order(7); o.Add(reg.Entry{Qty: 2}); o.Add(reg.Entry{Sku: "s", Qty: 3}); fmt.Println(o.ID, o.Label(), o.Heading.Label(), o.Total(), o.Count(), o.When.Year(), len(o.Entries), o.Entries[1].Sku, o.Note == nil)`},
	{name: "an embedded struct that is set", types: map[string]any{"Order": (*Order)(nil), "Entry": (*Entry)(nil), "Heading": (*Heading)(nil), "Money": (*Money)(nil), "Sku": (*Sku)(nil)},
		funcs: one("describe", func(o *Order) string { return fmt.Sprintf("%d %v %q %v", o.ID, o.Entries, *o.Note, o.Meta["k"].Qty) }),
		src:   `s := "n"; o := &reg.Order{Heading: reg.Heading{ID: 3}, Entries: []reg.Entry{{Qty: 1}}, Note: &s, Meta: map[string]reg.Entry{"k": {Qty: 8}}}; fmt.Println(describe(o)); o.ID = 4; *o.Note = "m"; o.Entries[0].Qty = 9; fmt.Println(describe(o))`},
	{name: "interface of the host", types: map[string]any{"Shipper": (*Shipper)(nil)}, funcs: func() map[string]any {
		s := &truck{}
		return map[string]any{"shipper": func() Shipper { return s }, "send": func(s Shipper) (string, error) { return s.Ship("host ") }}
	}, src: `s := shipper(); a, _ := s.Ship("x"); b, _ := send(s); var none reg.Shipper; fmt.Println(a, b, none == nil, s == shipper())`},
	{name: "a callback during the call", funcs: one("each", func(list []string, f func(int, string) bool) int {
		for i, s := range list {
			if !f(i, s) {
				return i
			}
		}
		return len(list)
	}), src: `n := 0; fmt.Println(each([]string{"a", "b", "c"}, func(i int, s string) bool { n += i + len(s); return s != "b" }), n)`},
	{name: "a callback kept for later", funcs: func() map[string]any {
		var kept []func(int) int
		return map[string]any{"keep": func(f func(int) int) { kept = append(kept, f) }, "fire": func(n int) (sum int) {
			for _, f := range kept {
				sum += f(n)
			}
			return sum
		}}
	}, src: `x := 1; keep(func(n int) int { x += n; return x }); keep(func(n int) int { return n * 10 }); a, b := fire(2), fire(3); fmt.Println(a, b, x)`},
	{name: "a callback that panics", funcs: one("call", func(f func()) { f() }),
		src: `func() { defer func() { fmt.Println("got", recover()) }(); call(func() { panic(fmt.Sprint("own ", 3)) }) }(); call(func() { var m map[string]int; m["a"] = 1 })`, kind: sandtrap.KindPanic},
	{name: "a callback with an error", funcs: one("try", func(f func() error) string { err := f(); return fmt.Sprint(err, errors.Is(err, io.EOF)) }),
		src: `fmt.Println(try(func() error { return fmt.Errorf("w: %w", io.EOF) }), try(func() error { return nil }))`},
	{name: "a callback that calls the host", funcs: func() map[string]any {
		return map[string]any{"twice": func(f func(int) int) int { return f(f(1)) }, "inc": func(n int) int { return n + 1 }}
	}, src: `fmt.Println(twice(func(n int) int { return inc(n) * twice(func(m int) int { return m + n }) }))`},
	{name: "an iterator of the host", differs: "functions of the host cross as members alone", funcs: one("count", func(n int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		}
	}), src: `for i := range count(5) { if i == 3 { break }; fmt.Print(i, " ") }; fmt.Println()`},
	{name: "an iterator of the script", differs: "functions of the host cross as members alone, and yield is one", funcs: one("total", func(seq iter.Seq2[string, int]) (n int) {
		for _, v := range seq {
			if n += v; n > 3 {
				break
			}
		}
		return n
	}), src: `m := map[string]int{"a": 1, "b": 1, "c": 1}; fmt.Println(total(maps.All(m)), total(func(yield func(string, int) bool) { for i := 0; yield("", i); i++ {} }))`},
	{name: "a reader of the host", differs: "an interface crosses that is a member", funcs: one("open", func(s string) io.Reader { return strings.NewReader(s) }),
		src: `b, err := io.ReadAll(open("some text")); fmt.Println(string(b), err); s := bufio.NewScanner(open("l1\nl2")); for s.Scan() { fmt.Println(s.Text()) }`},
	{name: "a reader of the script", differs: "an interface crosses that is a member", funcs: one("slurp", func(r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err }),
		src: `fmt.Println(slurp(strings.NewReader("from here"))); fmt.Println(slurp(io.MultiReader(strings.NewReader("a"), bytes.NewBufferString("b"))))`},
	{name: "a writer of the script", differs: "an interface crosses that is a member", funcs: one("write", func(w io.Writer) (int, error) { return fmt.Fprintf(w, "%03d", 7) }),
		src: `var b strings.Builder; n, err := write(&b); fmt.Println(b.String(), n, err); var buf bytes.Buffer; write(&buf); fmt.Println(buf.String())`},
	{name: "a writer of the host", differs: "an interface crosses that is a member", funcs: func() map[string]any {
		var b bytes.Buffer
		return map[string]any{"log": func() io.Writer { return &b }, "logged": b.String}
	}, src: `fmt.Fprintf(log(), "line %d\n", 1); io.WriteString(log(), "more"); fmt.Printf("%q\n", logged())`},
	{name: "times", funcs: one("later", func(t time.Time, d time.Duration) (time.Time, *time.Time) { u := t.Add(d); return u, &u }),
		src: `t := time.Date(2024, 2, 29, 1, 2, 3, 4, time.UTC); u, p := later(t, time.Hour); fmt.Println(u, *p, u.Sub(t), u.Equal(*p), u == *p)`},
	{name: "big numbers", funcs: one("square", func(n *big.Int, r *big.Rat) (*big.Int, *big.Rat) { return new(big.Int).Mul(n, n), new(big.Rat).Inv(r) }),
		src: `n, _ := new(big.Int).SetString("123456789012345678901234567890", 10); m, r := square(n, big.NewRat(2, 3)); fmt.Println(m, r, n)`},
	{name: "a big number that the host writes to", differs: "arguments are copies", funcs: one("double", func(n *big.Int) { n.Lsh(n, 1) }), src: `n := big.NewInt(21); double(n); fmt.Println(n)`},
	{name: "raw messages", funcs: one("wrap", func(m json.RawMessage) (json.RawMessage, error) {
		return json.Marshal(map[string]json.RawMessage{"in": m})
	}),
		src: `m, err := wrap(json.RawMessage("[1, 2]")); fmt.Println(string(m), err); fmt.Printf("%T\n", m); var v any; fmt.Println(json.Unmarshal(m, &v), v)`},
	{name: "bytes that the host writes to", differs: "arguments are copies", funcs: one("fill", func(b []byte, n []int) { copy(b, "xyz"); n[0] = 9 }),
		src: `b, n := make([]byte, 5), []int{1, 2}; c := b[1:]; fill(b, n); fmt.Printf("%q %q %v\n", b, c, n); fill(b[2:], n[1:]); fmt.Printf("%q %v\n", b, n)`},
	{name: "a map that the host writes to", differs: "arguments are copies", funcs: one("mark", func(m map[string]int) { m["new"] = 1; delete(m, "old") }),
		src: `m := map[string]int{"old": 1}; k := m; mark(m); fmt.Println(m, k)`},
	{name: "what it hides", types: map[string]any{"Ledger": (*Ledger)(nil), "Money": (*Money)(nil)}, funcs: func() map[string]any {
		a := &Ledger{Owner: "o"}
		return map[string]any{"account": func() *Ledger { return a }, "rename": func(x *Ledger, n string) bool { x.Owner = n; return x == a }}
	}, src: `a := account(); m, err := a.Deposit(150); _, bad := a.Deposit(-1); fmt.Println(m, err, bad, rename(a, "p"), a.Owner, a == account()); a.Owner = "q"; fmt.Println(account().Owner)`},
	{name: "a panic with an error", funcs: one("boom", func() { panic(fmt.Errorf("wrapped: %w", io.ErrUnexpectedEOF)) }),
		src: `func() { defer func() { r := recover(); err, ok := r.(error); fmt.Println(r, ok, ok && errors.Is(err, io.ErrUnexpectedEOF)) }(); boom() }()
boom()`, kind: sandtrap.KindPanic},
	{name: "a panic of the runtime", funcs: one("index", func(n int) int { return []int{1}[n] }),
		src: `func() { defer func() { r := recover(); _, ok := r.(runtime.Error); fmt.Println(r, ok) }(); index(4) }()
index(5)`, kind: sandtrap.KindPanic},
	{name: "a panic with a number", funcs: one("boom", func() { panic(42) }), src: `func() { defer func() { r := recover(); fmt.Printf("%T %v\n", r, r) }(); boom() }()
boom()`, kind: sandtrap.KindPanic},
	{name: "slow", funcs: one("wait", func() string { time.Sleep(30 * time.Millisecond); return "done" }), src: `fmt.Println(wait(), wait())`},
	{name: "slow, beside others", funcs: func() map[string]any {
		c := make(chan int)
		return map[string]any{"get": sandtrap.Member{Value: func() int { return <-c }, Blocking: true}, "put": sandtrap.Member{Value: func(n int) { c <- n }, Blocking: true}}
	}, src: `out := make(chan int); go func() { out <- get() }(); go put(5); fmt.Println(<-out)`},
	{name: "a nil in each place", differs: "functions of the host cross as members alone", funcs: func() map[string]any {
		return map[string]any{"nils": func() (*int, []int, map[string]int, any, func(), error) { return nil, nil, nil, nil, nil, nil }}
	}, src: `a, b, c, d, e, f := nils(); fmt.Println(a == nil, b == nil, c == nil, d == nil, e == nil, f == nil)`},
	{name: "a function as a result", differs: "functions of the host cross as members alone", funcs: one("adder", func(n int) func(int) int { return func(m int) int { n += m; return n } }), src: `f := adder(10); fmt.Println(f(1), f(2)); g := adder(0); fmt.Println(g(5), f(0))`},
	{name: "several functions as results", differs: "functions of the host cross as members alone", funcs: one("pair", func() (get func() int, set func(int) error) {
		n := 0
		return func() int { return n }, func(m int) error {
			if m < 0 {
				return errBad
			}
			n = m
			return nil
		}
	}), src: `get, set := pair(); fmt.Println(get(), set(5), get(), set(-1))`},
	{name: "a channel of the host", differs: "channels do not cross", funcs: one("ticks", func(n int) <-chan int {
		c := make(chan int, n)
		for i := range n {
			c <- i
		}
		close(c)
		return c
	}), src: `n := 0; for v := range ticks(4) { n += v }; fmt.Println(n)`},
	{name: "a channel of the script", differs: "channels do not cross", funcs: one("send", func(c chan<- string) { c <- "sent" }), src: `c := make(chan string, 1); send(c); fmt.Println(<-c)`},
	{name: "a wait group of the script", kind: sandtrap.KindType, funcs: one("done", func(wg *sync.WaitGroup) { wg.Done() }), src: `var wg sync.WaitGroup; wg.Add(1); done(&wg); wg.Wait(); fmt.Println("ok")`},
	{name: "a struct without a name", funcs: one("anon", func(p struct {
		A int
		B []string `json:"b"`
	}) struct{ Sum int } {
		return struct{ Sum int }{p.A + len(p.B)}
	}), src: "r := anon(struct{ A int; B []string `json:\"b\"` }{2, []string{\"x\"}}); fmt.Printf(\"%v %T %d\\n\", r, r, r.Sum)"},
	{name: "arrays and complex numbers", funcs: one("mix", func(a [3]int, c complex128, u uint8, r rune) ([2][2]int, complex64, uint16, string) {
		return [2][2]int{{a[0], a[1]}, {a[2], 1}}, complex64(c), uint16(u) << 1, string(r)
	}), src: `fmt.Println(mix([3]int{1, 2, 3}, 1+2i, 255, 'é'))`},
	{name: "numbers at their ends", funcs: one("ends", func(a int64, b uint64, f float64, g float32) string { return fmt.Sprint(a, b, f, g) }),
		src: `fmt.Println(ends(math.MinInt64, math.MaxUint64, math.Inf(-1), math.MaxFloat32), ends(0, 0, math.NaN(), math.SmallestNonzeroFloat32), ends(0, 0, math.Copysign(0, -1), 0))`},
	{name: "text that is no UTF-8", funcs: one("echo", func(s string, m map[string]string) (string, map[string]string) { return s, m }), src: `s, m := echo("\xff\x00é", map[string]string{"\xfe": "\x80"}); fmt.Printf("%q %q\n", s, m)`},
	{name: "urls", funcs: one("host", func(u *url.URL) (*url.URL, string) { return u.JoinPath("x"), u.Host }), src: `u, err := url.Parse("https://u:p@h.com/a?b=c#d"); v, h := host(u); fmt.Println(v, h, err, v.User)`},
	{name: "any that is a map of anys", differs: "arguments are copies", funcs: one("tree", func(v any) any {
		m := v.(map[string]any)
		m["seen"] = true
		return map[string]any{"in": m, "n": len(m)}
	}),
		src: `v := map[string]any{"a": []any{1, "b", nil, 2.5}}; out := tree(v).(map[string]any); fmt.Println(out["n"], out["in"], v)`},
	{name: "any of the script's type", funcs: one("kind", func(v any) string { return fmt.Sprintf("%v", v) }), src: `type P struct{ X, Y int }; type S string; fmt.Println(kind(P{1, 2}), kind(&P{3, 4}), kind(S("s")), kind([]P{{5, 6}}))`},
	{name: "a stringer of the script", differs: "an interface crosses that is a member", funcs: one("text", func(s fmt.Stringer) string { return s.String() }), src: "text(time.Second)\nfmt.Println(text(time.Second), text(big.NewInt(4)))"},
	{name: "sort.Interface of the script", funcs: one("less", func(f func(i, j int) bool) bool { return f(1, 2) && !f(2, 1) }), src: `l := []int{9, 1, 2}; fmt.Println(less(func(i, j int) bool { return l[i] < l[j] }))`},
	{name: "maps with other keys", funcs: one("keys", func(m map[[2]int]string, n map[any]int, o map[bool][]byte) string {
		return fmt.Sprint(m, n, o, len(slices.Collect(maps.Keys(n))))
	}),
		src: `fmt.Println(keys(map[[2]int]string{{1, 2}: "a"}, map[any]int{"k": 1, 2: 3}, map[bool][]byte{true: []byte("b")}))`},
	{name: "a method of a value", funcs: func() map[string]any { a := &Ledger{Owner: "z"}; return map[string]any{"deposit": a.Deposit} }, types: map[string]any{"Money": (*Money)(nil)},
		src: `m, err := deposit(5); fmt.Println(m, err); n, err := deposit(0); fmt.Println(n, err, errors.Is(err, reg.ErrBad))`},
	{name: "an error that ends the run", funcs: one("fail", func() error { return fmt.Errorf("wrapped: %w", io.ErrClosedPipe) }), src: "f := func() error { return fail() }\nif err := f(); err != nil { panic(err) }", kind: sandtrap.KindPanic},
	{name: "wrong arguments", funcs: one("half", func(n int) int { return n / 2 }), src: `half("a")`, kind: sandtrap.KindType},
	{name: "a limit in a callback", funcs: one("call", func(f func()) { f() }), src: `call(func() { for { } })`, kind: sandtrap.KindTicks},
	{name: "os.Exit in a callback", funcs: one("call", func(f func()) { f() }), src: `fmt.Println("a"); call(func() { os.Exit(3) })`, kind: sandtrap.KindExit},
	{name: "a callback in a struct", differs: "functions of the host cross as members alone", types: map[string]any{"Hooks": (*Hooks)(nil)}, funcs: func() map[string]any {
		return map[string]any{"run": func(h Hooks, line string) (string, error) {
			if h.OnLine == nil {
				return "none", nil
			}
			return h.Name, h.OnLine(line)
		}, "hooks": func() Hooks {
			return Hooks{Name: "host's", OnLine: func(s string) error { return errors.New("host: " + s) }}
		}}
	}, src: `var got []string; s, err := run(reg.Hooks{Name: "n", OnLine: func(s string) error { got = append(got, s); return io.EOF }}, "l1"); fmt.Println(s, err, got)
fmt.Println(run(reg.Hooks{}, "l2")); h := hooks(); fmt.Println(h.Name, h.OnLine("x"), h.OnLine == nil); fmt.Println(run(h, "y"))`},
	{name: "a list of structs with a name", differs: "reflect makes no types with a name", types: map[string]any{"Entries": (*Entries)(nil), "Entry": (*Entry)(nil), "Sku": (*Sku)(nil)}, funcs: func() map[string]any {
		return map[string]any{"lines": func(n int) Entries { return make(Entries, n) }, "count": func(l Entries) int { return l.Sum() }}
	}, src: `l := lines(2); l[0].Qty = 3; l = append(l, reg.Entry{Qty: 4}); for i := range l { l[i].Sku = "s" }; fmt.Println(len(l), l.Sum(), count(l), count([]reg.Entry{{Qty: 1}}), l[2].Sku); fmt.Printf("%T %v\n", l, l)`},
}

type (
	Hooks struct {
		Name   string
		OnLine func(string) error
	}
	Entries []Entry
)

func (l Entries) Sum() (n int) {
	for _, x := range l {
		n += x.Qty
	}
	return n
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func one(name string, fn any) func() map[string]any {
	return func() map[string]any { return map[string]any{name: fn} }
}

// TestHostPrograms: what a host registers and a script does with it comes to the same result in
// each mode. Where it does not the row says why, and that has to be so.
func TestHostPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, r := range slices.Concat(registrations, valueRegistrations) {
		t.Run(r.name, func(t *testing.T) {
			here := r.run(t, sandtrap.None)
			if text := here["stdout"] + here["error"] + here["result"] + here["after"]; !strings.HasPrefix(here["error"], string(r.kind)) || text == "" && r.err == "" || r.kind == "" && r.err == "" && here["err"] != "<nil>" || !strings.Contains(here["err"], r.err) {
				t.Fatalf("in process: %v", here)
			}
			for _, mode := range []sandtrap.Isolation{sandtrap.Process, sandtrap.Kernel} {
				if machine.Raced && mode == sandtrap.Kernel {
					continue
				}
				diff := gocmp.Diff(here, r.run(t, mode))
				if (diff == "") != (r.differs == "") {
					t.Errorf("%s: it is said to differ because %q, and does so:\n%s", mode, r.differs, diff)
				}
			}
		})
	}
}

// run runs the script in a sandbox of its own.
func (r *registration) run(t *testing.T, mode sandtrap.Isolation) map[string]string {
	p := pure()
	p.Isolation = mode
	if r.funcs != nil {
		p.Funcs = r.funcs()
	}
	members := map[string]any{"ErrBad": errBad}
	maps.Copy(members, r.types)
	p.Packages = []sandtrap.Package{{Path: "corp/reg", Members: members}}
	box, err := sandtrap.New(t.Context(), p)
	switch {
	case errors.Is(err, sandtrap.ErrPolicy):
		return map[string]string{"policy": err.Error()}
	case err != nil:
		rig.NoKernel(t, err)
		t.Fatal(err)
	}
	defer box.Close()
	src := r.src
	if strings.Contains(src, "reg.") {
		src = "import \"corp/reg\"\n" + src
	}
	script := sandtrap.Script{Text: src, Inputs: r.inputs, Copy: r.copied}
	if r.result != nil {
		script.Result = r.result()
	}
	res, err := box.Run(t.Context(), script)
	all := map[string]string{
		"stdout": res.Stdout, "stderr": res.Stderr, "types": fmt.Sprint(res.Types),
		"err": fmt.Sprint(err), "warnings": fmt.Sprint(res.Warnings),
	}
	if e := res.Error; e != nil {
		all["error"] = fmt.Sprint(e.Kind, "|", e.Pos, "|", e.Name, "|", e.Message, "|", e.Hint, "|", e.Code, "|", e.Stack, "|", e.Err)
	}
	if r.result != nil {
		all["result"] = string(must(json.Marshal(script.Result)))
	}
	if r.after != nil {
		all["after"] = r.after(res)
	}
	return all
}
