package vm

import (
	"go/types"
	"reflect"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// gateTable is what a program knows of its bindings; the values come with a run.
type gateTable struct {
	prog   *rewrite.Program
	list   []rewrite.Binding // by slot, which is what runs know them by
	typeOf engine.TypeOf
	asked  map[int]bool // slots that code asks for; a cell has slots for nothing else
}

func newGateTable(p *rewrite.Program, l *loader) *gateTable {
	return &gateTable{prog: p, list: p.Bindings(), typeOf: l.typeOf, asked: l.asked}
}

// Provides reports a binding whose value no code asks the host for: of what nothing calls, or of
// what the program brings itself.
func (p *Program) Provides(i int) bool { return !p.gates.asked[i] }

// Schedules says that goroutines of a script are tasks of the engine.
func (p *Program) Schedules() {}

// gateExt is what a call of fn does if it is a gate.
func (f *fn) gateExt(fn *ssa.Function) *ext {
	c := f.compiler
	results := c.types.of(fn.Signature.Results())
	if fn.Pkg != nil && isLibrary(fn.Pkg.Pkg) {
		if do, ok := libraryGates[fn.Name()]; ok {
			return &ext{do: do, t: results}
		}
	}
	name, ok := c.gateName(fn)
	if !ok {
		return nil
	}
	switch name {
	case abi.Tick:
		return &ext{do: DoNothing, t: results}
	case abi.Recover:
		return &ext{do: DoSame, t: results}
	case abi.Echo:
		return &ext{do: DoEcho, t: results}
	}
	b, ok := c.binding(fn)
	if !ok {
		return nil
	}
	if do, ok := reflectGenerics[memberName(b)]; ok {
		return &ext{do: do, t: results, u: f.reflectArg(fn, b)}
	}
	x := &ext{do: DoGate, n: int64(f.slot(b)), t: results, ok: fn.Signature.Variadic(), s: b.String(), shares: !b.Standard || keepers[b.Path], prints: b.Standard && printers[b.Path]}
	x.inside = b.Standard && b.Kind == rewrite.BindFunc && !x.shares && callsInside(fn.Signature)
	member := memberName(b)
	if do, ok := c.reflectGate(x, b); ok {
		x.do = do
	} else if do, ok := ownGates[member]; ok && b.Kind != rewrite.BindMethodValue {
		x.do = do
	} else if sortGates[member] != nil && b.Kind == rewrite.BindFunc {
		f.sortMethods(x, fn)
	} else if spawning[member] {
		x.do = DoSpawning
	} else if scans[member] {
		x.do = DoScan
	} else if !x.ok && !x.prints && b.Kind != rewrite.BindVar {
		x.do = directGate(b, fn.Signature)
	}
	if member == "math.Sqrt" {
		x.op = opSqrt
	}
	if m := interfaceMethod(fn, b); m != nil {
		x.do, x.d = DoInvoke, 1+f.methodID(m)
	}
	return x
}

// callsInside reports a function of the standard library that can call a function of the script at no time but
// in the call that gives it that, and on its goroutine: it takes and gives nothing else that could be called
// or hold something, and gives something, which those do not that keep what they are given.
func callsInside(sig *types.Signature) bool {
	return isBasic(sig.Params(), true) && sig.Results().Len() > 0 && isBasic(sig.Results(), false)
}

// isBasic reports values of basic types, slices of them, and where that is asked functions of such.
func isBasic(list *types.Tuple, functions bool) bool {
	for v := range list.Variables() {
		switch t := v.Type().Underlying().(type) {
		case *types.Basic:
		case *types.Slice:
			if _, ok := t.Elem().Underlying().(*types.Basic); !ok {
				return false
			}
		case *types.Signature:
			if !functions || !isBasic(t.Params(), false) || !isBasic(t.Results(), false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// memberName is the name of a member of the standard library, without type arguments;
// of others, which may have the same path, it is "".
func memberName(b rewrite.Binding) string {
	if !b.Standard {
		return ""
	}
	if b.Owner != "" {
		return b.Path + "." + b.Owner + "." + b.Name
	}
	return b.Path + "." + b.Name
}

// libraryGates are what the library declares and leaves to the engine.
var libraryGates = map[string]Do{
	"sortBy": DoSortBy,
	"goexit": DoGoexit,
	"below":  DoBelow,
}

func doBelow(m *machine, x *ext) { m.I[x.a] = int64(m.below(uint64(m.I[x.regs[0]]))) }

func doGoexit(*machine, *ext) { panic(&scriptPanic{goexit: true}) }

// ownGates are members that the engine does itself: they see script types, or wait.
var ownGates = map[string]Do{
	"time.Sleep":           DoSleep,
	"runtime.Gosched":      DoGosched,
	"runtime.Goexit":       DoGoexit,
	"runtime.NumGoroutine": DoNumGoroutine,
	"errors.As":            DoErrorsAs,
	"errors.Is":            DoErrorsIs,
	"sort.Slice":           DoSortSlice,
	"sort.SliceStable":     DoSortSlice,
	"sort.SliceIsSorted":   DoSliceIsSorted,

	"encoding/binary.Append": DoBinaryOut,
	"encoding/binary.Encode": DoBinaryOut,
	"encoding/binary.Write":  DoBinaryOut,
	"encoding/binary.Decode": DoBinaryIn,
	"encoding/binary.Read":   DoBinaryIn,
	"encoding/binary.Size":   DoBinarySize,

	"encoding/json.Marshal":        DoJSONMarshal,
	"encoding/json.MarshalIndent":  DoJSONMarshalIndent,
	"encoding/json.Unmarshal":      DoJSONUnmarshal,
	"encoding/json.Encoder.Encode": DoJSONEncode,
	"encoding/json.Decoder.Decode": DoJSONDecode,

	"html/template.HTMLEscaper":              DoEscaper,
	"html/template.JSEscaper":                DoEscaper,
	"html/template.URLQueryEscaper":          DoEscaper,
	"html/template.IsTrue":                   DoIsTrue,
	"html/template.Template.AddParseTree":    DoTemplateKin,
	"html/template.Template.Clone":           DoTemplateClone,
	"html/template.Template.Execute":         DoTemplateExecute,
	"html/template.Template.ExecuteTemplate": DoTemplateExecute,
	"html/template.Template.Funcs":           DoTemplateFuncs,
	"html/template.Template.Lookup":          DoTemplateKin,
	"html/template.Template.New":             DoTemplateKin,
	"html/template.Template.Option":          DoTemplateOption,
	"html/template.Template.Templates":       DoTemplateKin,

	"text/template.HTMLEscaper":              DoEscaper,
	"text/template.JSEscaper":                DoEscaper,
	"text/template.URLQueryEscaper":          DoEscaper,
	"text/template.IsTrue":                   DoIsTrue,
	"text/template.Template.AddParseTree":    DoTemplateKin,
	"text/template.Template.Clone":           DoTemplateClone,
	"text/template.Template.Execute":         DoTemplateExecute,
	"text/template.Template.ExecuteTemplate": DoTemplateExecute,
	"text/template.Template.Funcs":           DoTemplateFuncs,
	"text/template.Template.Lookup":          DoTemplateKin,
	"text/template.Template.New":             DoTemplateKin,
	"text/template.Template.Option":          DoTemplateOption,
	"text/template.Template.Templates":       DoTemplateKin,
}

func doNumGoroutine(m *machine, x *ext) { m.I[x.a] = int64(len(m.alive)) }

func doNothing(*machine, *ext) {}

// keepers are the standard packages that keep the pointers they are given.
var keepers = map[string]bool{"flag": true}

// printers are the standard packages that show places.
var printers = map[string]bool{"fmt": true, "log": true}

// doSame gives its argument back: a stop is never a panic here.
func doSame(m *machine, x *ext) { m.R[x.a] = m.R[x.regs[0]] }

// doGate calls the bound value of a gate by reflection.
func doGate(m *machine, x *ext) {
	f := m.seam.Bind[x.n]
	m.calledBody(f, m.bodyOf(x.n), x, m.arguments(f.Type(), x))
}

// bodyOf is the body of the bound value of a gate, nil if that is not known.
func (m *machine) bodyOf(slot int64) gates.Body {
	if list := m.seam.Bodies; slot < int64(len(list)) {
		return list[slot]
	}
	return nil
}

func (m *machine) arguments(ft reflect.Type, x *ext) []reflect.Value {
	m.crossing, m.noting = crossing{sharing: x.shares, keeping: !x.shares && !x.prints}, x.prints
	m.copiedBytes = -m.seam.live.loose
	w := &Obj{m.I, m.S, m.R}
	in := make([]reflect.Value, len(x.regs))
	for i, r := range x.regs {
		if c, ok := m.R[r].(*Closure); ok && x.inside && c != nil && c.fn != nil && ft.In(i).Kind() == reflect.Func {
			in[i] = funcInside(m, c, x.types[i], ft.In(i))
			continue
		}
		if in[i] = toHost(m, x.types[i], w, r, ft.In(i)); x.shares {
			m.wantEnd(in[i], 0, 0)
		}
	}
	m.noting = false
	m.copiedBytes += m.seam.live.loose
	return in
}

// called calls f and puts the results in their registers.
func (m *machine) called(f reflect.Value, x *ext, in []reflect.Value) {
	m.calledBody(f, nil, x, in)
}

// calledBody is called for a function with a body, if it has one.
func (m *machine) calledBody(f reflect.Value, body gates.Body, x *ext, in []reflect.Value) {
	m.entering()
	m.given(x)
	made := m.copiedBytes
	res := m.callHost(f, body, in, x.ok)
	if x.prints { // the copies are garbage
		m.seam.live.loose = max(0, m.seam.live.loose-made)
	}
	m.noted, m.places = nil, nil
	if m.toScriptSide(); m.stop != nil {
		return // without a panic: the loop sees it
	}
	m.ended()
	m.view()
	w := &Obj{m.I, m.S, m.R}
	for i, v := range res {
		field := x.t.fields[i]
		k := x.a + field.off
		if v.Kind() == reflect.String {
			w.S[k] = m.textMade(v.String())
			continue
		}
		m.chargeMade(madeBytes(v))
		fromHost(m, v, field.typ, w, k)
	}
}

const (
	givenFree = 64 << 10                // bytes that a call of the host may be given without being asked for its time
	givenTime = 5 * time.Nanosecond / 2 // for each more: what is slower has a price of its own
)

// given asks for the time that the host takes to look at each byte it is given.
func (m *machine) given(x *ext) {
	n := int64(0)
	for i, r := range x.regs {
		switch t := x.types[i]; t.kind {
		case reflect.String:
			n += int64(len(m.S[r]))
		case reflect.Slice:
			n += storeBytes(t.elem, m.I[r])
		case reflect.Interface:
			if s, ok := m.R[r].(string); ok {
				n += int64(len(s))
			}
		}
	}
	m.afford(n)
}

// afford asks for the time that the host takes to look at each of n bytes.
func (m *machine) afford(n int64) {
	if n <= givenFree {
		return
	}
	if stop := m.seam.Meter.Afford(time.Duration(n) * givenTime); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// madeBytes is what a result of the host holds, as far as it shows.
func madeBytes(v reflect.Value) int64 {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		return int64(v.Cap()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		return int64(v.Len()) * entryBytes(v.Type())
	case reflect.Interface:
		return anyBytes(v.Interface())
	case reflect.Pointer:
		return behindBytes(v)
	}
	return 0
}

// anyBytes is madeBytes for a value in an interface.
func anyBytes(v any) int64 {
	switch v := v.(type) {
	case nil:
		return ifaceBytes
	case error:
		return errorHeld(v)
	}
	return behindBytes(reflect.ValueOf(v))
}

// behindBytes is what a pointer, or another value that an interface holds, leads to.
func behindBytes(v reflect.Value) int64 {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return ifaceBytes
	}
	return max(ifaceBytes, int64(v.Type().Elem().Size()))
}

// errorHeld is what an error holds, with the texts in it, which may be copies.
func errorHeld(e error) int64 {
	v := reflect.ValueOf(e)
	n := behindBytes(v)
	if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
		return n
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			n += int64(f.Len())
		}
	}
	return n
}

// entryBytes is what an entry of a map of the host's takes.
func entryBytes(rt reflect.Type) int64 {
	return int64(rt.Key().Size()+rt.Elem().Size()) + rowBytes
}
