package builtins

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// This file calls one member of the tables with arguments of one kind, and measures the call.

// pricedMembers are all functions and methods of the standard library that scripts have, but for those of
// interfaces, which are those of whatever they hold.
func pricedMembers() []Ref {
	var all []Ref
	for _, p := range Std() {
		for _, m := range p.Members {
			all = append(all, refs(p, m)...)
		}
	}
	return all
}

func refs(p Package, m Member) (list []Ref) {
	owner, method, isMethod := strings.Cut(m.Name, ".")
	rt := m.Typ()
	switch {
	case m.Deny:
	case isMethod && m.Value != nil && memberType(&m).Kind() == reflect.Func:
		list = append(list, Ref{Kind: abi.BindMethod, Path: p.Path, Owner: owner, Name: method, Pointer: true})
	case rt != nil && rt.Kind() != reflect.Interface:
		pt := reflect.PointerTo(rt)
		for i := range pt.NumMethod() {
			name := pt.Method(i).Name
			own := slices.ContainsFunc(p.Members, func(x Member) bool { return x.Name == m.Name+"."+name })
			if !own && (m.With == "*" || rows.HasWord(m.With, name)) {
				list = append(list, Ref{Kind: abi.BindMethod, Path: p.Path, Owner: m.Name, Name: name, Pointer: true})
			}
		}
	case rt == nil && m.Value != nil && !isMethod && !m.Settable && memberType(&m).Kind() == reflect.Func:
		list = append(list, Ref{Kind: abi.BindFunc, Path: p.Path, Name: m.Name})
	}
	return list
}

// A kind is one kind of hostile arguments.
type kind struct {
	name  string
	text  func(n int) string
	n     int  // of an integer
	alias bool // lists hold one long text again and again
	keeps bool // of these it is measured what is kept
}

var argKinds = []kind{
	{"letters", func(n int) string { return strings.Repeat("a", n) }, 3, false, true},
	{"digits", func(n int) string { return strings.Repeat("9", n) }, 10, false, false},
	{"bytes", func(n int) string { return strings.Repeat("\xff\x00%<&\"\\\n([", n/10) }, 1 << 20, false, false},
	{"slashes", func(n int) string { return strings.Repeat("a/../*,;= é", n/12) }, 1 << 40, false, true},
	{"aliases", func(n int) string { return strings.Repeat("a", n) }, 64, true, false},
	{"zero", func(int) string { return "" }, 0, false, false},
}

// A argMaker makes arguments, and adds up how much memory they take.
type argMaker struct {
	kind
	env   *Env
	table *Table
	size  int // of a text
	took  int64
	deep  int
	ends  bool // readers end
	reads int
}

// hostile is a reader that never ends, a writer that drops, and whatever else is asked of one.
type hostile struct{ m *argMaker }

func (e hostile) Read(p []byte) (int, error) {
	e.m.env.Check()
	if e.m.reads++; e.m.ends && e.m.reads > 2 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = "a9 \n"[i%4]
	}
	return len(p), nil
}
func (hostile) Write(p []byte) (int, error)            { return len(p), nil }
func (hostile) Close() error                           { return nil }
func (hostile) Error() string                          { return "hostile" }
func (hostile) Len() int                               { return 1 << 12 }
func (e hostile) Less(i, j int) bool                   { e.m.env.Check(); return i < j }
func (hostile) Swap(i, j int)                          {}
func (hostile) ReadAt(p []byte, _ int64) (int, error)  { return len(p), nil }
func (hostile) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (hostile) Seek(int64, int) (int64, error)         { return 0, nil }
func (hostile) ReadByte() (byte, error)                { return 'a', nil }
func (hostile) ReadRune() (rune, int, error)           { return 'a', 1, nil }
func (hostile) UnreadByte() error                      { return nil }
func (hostile) UnreadRune() error                      { return nil }
func (hostile) Width() (int, bool)                     { return 1 << 20, true }
func (hostile) Precision() (int, bool)                 { return 1 << 20, true }
func (hostile) Flag(int) bool                          { return true }
func (e hostile) SkipSpace()                           {}
func (e hostile) Token(bool, func(rune) bool) ([]byte, error) {
	return []byte(e.m.text(e.m.size)), nil
}

var errEnough = errors.New("the run has to end")

func (m *argMaker) value(rt reflect.Type) reflect.Value {
	v := reflect.New(rt).Elem()
	m.fill(v)
	return v
}

const deepest = 4

func (m *argMaker) fill(v reflect.Value) {
	if m.deep > deepest {
		return
	}
	m.deep++
	defer func() { m.deep-- }()
	switch rt := v.Type(); rt {
	case reflect.TypeFor[big.Int]():
		m.took += int64(m.size)
		v.Addr().Interface().(*big.Int).Lsh(big.NewInt(3), uint(m.size*8))
		return
	case reflect.TypeFor[big.Rat]():
		m.took += int64(m.size)
		x := v.Addr().Interface().(*big.Rat)
		x.SetFrac(new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), uint(m.size*2)), big.NewInt(1)), new(big.Int).Lsh(big.NewInt(1), uint(m.size*2)))
		return
	case reflect.TypeFor[big.Float]():
		m.took += int64(m.size)
		x := v.Addr().Interface().(*big.Float)
		x.SetPrec(uint(m.size * 4)).SetInt64(2)
		x.Quo(x, big.NewFloat(3))
		return
	case reflect.TypeFor[time.Duration]():
		v.SetInt(int64(m.n))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(m.n))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(m.n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(m.n) * 1e290)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(m.n), 1))
	case reflect.String:
		m.took += int64(m.size)
		v.SetString(m.text(m.size))
	case reflect.Slice:
		m.slice(v)
	case reflect.Array:
		for i := range min(v.Len(), 64) {
			m.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		m.took += 512
		v.SetMapIndex(m.value(v.Type().Key()), m.value(v.Type().Elem()))
	case reflect.Pointer:
		m.pointer(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && v.Type().Field(i).IsExported() {
				m.fill(f)
			}
		}
	case reflect.Func:
		m.function(v)
	case reflect.Chan:
		v.Set(reflect.MakeChan(reflect.ChanOf(reflect.BothDir, v.Type().Elem()), 1).Convert(v.Type()))
	case reflect.Interface:
		m.iface(v)
	}
}

func (m *argMaker) slice(v reflect.Value) {
	elem := v.Type().Elem()
	n := m.size / max(1, int(elem.Size()))
	m.took += int64(n) * int64(elem.Size())
	switch elem.Kind() {
	case reflect.Uint8:
		v.Set(reflect.ValueOf([]byte(m.text(m.size))).Convert(v.Type()))
		return
	case reflect.String:
		whole := m.text(m.size)
		m.took += int64(m.size)
		s := reflect.MakeSlice(v.Type(), n, n)
		for i := range n {
			part := whole[:min(len(whole), 16)]
			if m.alias {
				part = whole
			}
			s.Index(i).SetString(part)
		}
		v.Set(s)
		return
	}
	if n = min(n, 1<<12); m.deep > 2 {
		n = min(n, 4)
	}
	s := reflect.MakeSlice(v.Type(), n, n)
	was := m.size
	if !m.alias {
		m.size = min(m.size, 64)
	}
	one := m.value(elem)
	for i := range n {
		s.Index(i).Set(one)
	}
	m.size = was
	v.Set(s)
}

func (m *argMaker) pointer(v reflect.Value) {
	if made := m.made(v.Type()); made.IsValid() {
		v.Set(made)
		return
	}
	if handles(m.table)[v.Type().Elem()] { // scripts have those alone that something made
		return
	}
	p := reflect.New(v.Type().Elem())
	m.took += int64(p.Type().Elem().Size())
	m.fill(p.Elem())
	v.Set(p)
}

// made is a value that a function of the type's package makes, if there is one that does with
// arguments of this kind.
func (m *argMaker) made(rt reflect.Type) reflect.Value {
	if m.deep > 2 || rt.Kind() == reflect.Pointer && rt.Elem().PkgPath() == "math/big" {
		return reflect.Value{}
	}
	for _, r := range makersOf(m.table)[rt] {
		f, err := m.table.Value(m.env, r)
		if err != nil {
			continue
		}
		var out []reflect.Value
		failed := shimtest.Outcome(func() { out = call(f, m.arguments(f.Type())) })
		if failed == nil && !(rt.Kind() == reflect.Pointer && out[0].IsNil()) {
			return out[0]
		}
	}
	return reflect.Value{}
}

// handles are the types of which scripts make no values.
func handles(t *Table) map[reflect.Type]bool {
	all := map[reflect.Type]bool{}
	for _, p := range t.base.pkgs {
		for _, m := range p.Members {
			if m.Handle && m.Value != nil {
				all[m.Typ()] = true
			}
		}
	}
	return all
}

var makerTable map[reflect.Type][]Ref

func makersOf(t *Table) map[reflect.Type][]Ref {
	if makerTable != nil {
		return makerTable
	}
	makerTable = map[reflect.Type][]Ref{}
	for _, p := range Std() {
		for _, m := range p.Members {
			if m.Deny || m.Value == nil || strings.Contains(m.Name, ".") || m.Typ() != nil || m.Settable {
				continue
			}
			ft := memberType(&m)
			if ft.Kind() == reflect.Func && ft.NumOut() > 0 && (ft.Out(0).Kind() == reflect.Pointer || ft.Out(0).Kind() == reflect.Struct) {
				makerTable[ft.Out(0)] = append(makerTable[ft.Out(0)], Ref{Kind: abi.BindFunc, Path: p.Path, Name: m.Name})
			}
		}
	}
	for _, list := range makerTable {
		slices.SortFunc(list, func(a, b Ref) int { return cmp.Compare(a.String(), b.String()) })
	}
	return makerTable
}

func (m *argMaker) arguments(ft reflect.Type) []reflect.Value {
	in := make([]reflect.Value, ft.NumIn())
	for i := range in {
		in[i] = m.value(ft.In(i))
	}
	return in
}

// function is one of the script's: it lets a stop through, and says yes so often.
func (m *argMaker) function(v reflect.Value) {
	rt, env, calls := v.Type(), m.env, 0
	out := make([]reflect.Value, rt.NumOut())
	for i := range out {
		out[i] = reflect.Zero(rt.Out(i))
	}
	v.Set(reflect.MakeFunc(rt, func([]reflect.Value) []reflect.Value {
		env.Check()
		if calls++; len(out) == 1 && out[0].Kind() == reflect.Bool {
			return []reflect.Value{reflect.ValueOf(calls < 1<<12).Convert(rt.Out(0))}
		}
		return out
	}))
}

func (m *argMaker) iface(v reflect.Value) {
	rt := v.Type()
	for _, x := range []any{hostile{m}, context.Background(), bufio.NewReader(hostile{m}),
		bufio.NewWriter(io.Discard), os.FileMode(0)} {
		if rt.NumMethod() > 0 && reflect.TypeOf(x).Implements(rt) {
			v.Set(reflect.ValueOf(x))
			return
		}
	}
	if rt.NumMethod() == 0 {
		m.took += 2 * int64(m.size)
		long := m.text(m.size)
		v.Set(reflect.ValueOf([]any{long, []any{[]byte(long), map[string]any{"a": long}}}))
		if m.deep%2 == 0 {
			v.Set(reflect.ValueOf(long))
		}
		return
	}
	if made := m.made(rt); made.IsValid() {
		v.Set(made)
		return
	}
	for _, t := range slices.SortedFunc(maps.Keys(makersOf(m.table)), func(a, b reflect.Type) int { return cmp.Compare(a.String(), b.String()) }) {
		if t.Kind() == reflect.Pointer && t.Implements(rt) {
			if made := m.made(t); made.IsValid() {
				v.Set(made)
				return
			}
		}
	}
}

// A meterOf counts what a call asks for, and how long it goes on without asking.
type meterOf struct {
	charged, worked int64
	until           time.Duration // of the processor
	last            time.Duration
	asked           time.Duration // of what goes on now
	late            time.Duration // the longest that it went on beyond what was asked
}

const (
	callTime   = 20 * time.Millisecond
	callMemory = 256 << 20
	askedTick  = 10 * time.Nanosecond
)

func (m *meterOf) gates() shim.Gates {
	return shimtest.Gates{
		OnCharge: func(n int64) {
			m.polled(time.Duration(min(n, callMemory)) / 2)
			if m.charged += min(n, callMemory+1); m.charged > callMemory {
				panic(errEnough)
			}
		},
		OnWork: func(n int64) {
			m.polled(time.Duration(min(n, 1<<40)) * askedTick)
			if m.worked += min(n, 1<<40); m.until-machine.CPUTime() < time.Duration(min(n, 1<<40))*askedTick {
				panic(errEnough)
			}
		},
		OnCheck: func() { m.polled(0) },
		OnWait:  func(string) { panic(errEnough) },
		OnExit:  func(int) { panic(errEnough) },
	}
}

func (m *meterOf) polled(asked time.Duration) {
	now := machine.CPUTime()
	m.late = max(m.late, now-m.last-m.asked)
	if m.asked = max(0, m.asked-(now-m.last)) + asked; now > m.until {
		panic(errEnough)
	}
	m.last = now
}

// A measure of one call.
type measured struct {
	size, charged, made, allocated, held int64
	late                                 time.Duration
	calls                                bool // functions of the script, whose garbage is their own
}

// measureCall calls a member so often with arguments of a kind. The results are kept. What is held
// is known only where it collects, which takes longer than the calls.
func measureCall(t *Table, r Ref, k kind, size, times int, collect bool) (out measured, ok bool) {
	meter := &meterOf{}
	env := &Env{Gates: meter.gates(), Stdin: strings.NewReader(""), Seed: 1, Until: time.Now().Add(time.Hour)}
	t.Serve(env)
	if env.FS, ok = filesOf(env); !ok {
		return out, false
	}
	defer env.FS.Close()
	f, err := t.Value(env, r)
	if err != nil {
		panic(fmt.Sprintf("%v: %v", r, err))
	}
	for i := range f.Type().NumIn() {
		out.calls = out.calls || f.Type().In(i).Kind() == reflect.Func
	}
	calls := out.calls
	var args [][]reflect.Value
	prepaid := int64(0)
	m := &argMaker{kind: k, env: env, table: t, size: size}
	meter.until = machine.CPUTime() + 10*callTime
	meter.last = machine.CPUTime()
	for range times {
		var in []reflect.Value
		if shimtest.Outcome(func() { in = m.arguments(f.Type()) }) != nil {
			return out, false
		}
		args = append(args, in)
		prepaid += meter.charged
		meter.charged = 0
	}
	kept := make([][]reflect.Value, 0, times)
	env.Begin(env.Context, env.Until) // what it owes is forgotten
	*meter = meterOf{until: machine.CPUTime() + callTime}
	before, after := heapOf(collect), runtime.MemStats{}
	meter.last = machine.CPUTime()
	meter.until = meter.last + callTime
	for _, in := range args {
		shimtest.Outcome(func() { kept = append(kept, call(f, in)) })
	}
	late := machine.CPUTime() - meter.last - meter.asked
	runtime.ReadMemStats(&after)
	end := heapOf(collect)
	out = measured{
		calls: calls,
		size:  m.took / int64(times), charged: (prepaid + meter.charged) / int64(times), late: max(late, meter.late),
		allocated: int64(after.TotalAlloc-before.TotalAlloc) / int64(times), held: (int64(end.HeapAlloc) - int64(before.HeapAlloc)) / int64(times),
	}
	for _, results := range kept {
		for _, v := range results {
			out.made += madeOf(v)
		}
	}
	out.made /= int64(times)
	runtime.KeepAlive(args)
	runtime.KeepAlive(kept)
	runtime.KeepAlive(env)
	return out, true
}

func heapOf(live bool) (s runtime.MemStats) {
	if live {
		runtime.GC()
		runtime.GC() // pools keep what they have until the second
	}
	runtime.ReadMemStats(&s)
	return s
}

// madeOf is what an engine counts of a result by itself: what shows of it.
func madeOf(v reflect.Value) int64 {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		return int64(v.Cap()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		return int64(v.Len()) * int64(v.Type().Key().Size()+v.Type().Elem().Size()+28)
	case reflect.Pointer:
		if !v.IsNil() {
			return max(48, int64(v.Type().Elem().Size()))
		}
	}
	return 48
}

// filesOf is a file system in memory, which asks for what is written.
func filesOf(env *Env) (*vfs.FS, bool) {
	volume, err := vfs.New(vfs.Mem(), vfs.Options{})
	if err != nil {
		return nil, false
	}
	files := volume.FS()
	files.Charge = env.Gates.Charge
	return files, true
}
