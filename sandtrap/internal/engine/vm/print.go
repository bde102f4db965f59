package vm

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func doPrint(m *machine, x *ir.SlowOp)   { m.print(x, "", "") }
func doPrintln(m *machine, x *ir.SlowOp) { m.print(x, " ", "\n") }

// print writes what print and println make. What is large goes out in parts, and is nowhere
// as a whole.
func (m *machine) print(x *ir.SlowOp, sep, end string) {
	out := printing{m: m}
	for i, t := range x.Types {
		if i > 0 {
			out.add(sep)
		}
		out.add(m.printOne(t, x.Regs[i]))
	}
	out.add(end)
	out.flush()
}

const printPart = 64 << 10

// A printing has what is to be written next.
type printing struct {
	m    *machine
	text []byte
}

func (p *printing) add(s string) {
	for s != "" {
		k := min(len(s), printPart-len(p.text))
		p.text = append(p.text, s[:k]...)
		if s = s[k:]; s != "" {
			p.flush()
		}
	}
}

func (p *printing) flush() {
	_, _ = p.m.seam.Stderr.Write(p.text)
	p.m.moved(len(p.text))
	p.text = p.text[:0]
}

func (m *machine) printOne(t *ir.Type, r int) string {
	switch k := t.Kind; {
	case k == reflect.String:
		return m.S[r]
	case k == reflect.Bool:
		return strconv.FormatBool(m.I[r] != 0)
	case ir.IsFloat(t):
		return printFloat(ir.BitsFloat(m.I[r]), bitsOf(t))
	case ir.IsComplex(t):
		return strconv.FormatComplex(m.cplx(r), 'g', -1, bitsOf(t))
	case ir.IsUnsigned(t):
		return strconv.FormatUint(uint64(m.I[r]), 10)
	case ir.IsInteger(t):
		return strconv.FormatInt(m.I[r], 10)
	case k == reflect.Slice:
		_, _, n, c := m.sliceAt(r)
		return fmt.Sprintf("[%d/%d]0x%x", n, c, m.address(m.R[r]))
	case k == reflect.Interface:
		if m.R[r] == nil {
			return "(0x0,0x0)"
		}
		return fmt.Sprintf("(0x%x,0x%x)", m.address(m.dynName(m.R[r])), 0xc000000000)
	}
	return fmt.Sprintf("0x%x", m.pointsTo(t, &ir.Obj{I: m.I, S: m.S, R: m.R}, r))
}

// printFloat is a float as print writes it.
func printFloat(f float64, bits int) string { return strconv.FormatFloat(f, 'g', -1, bits) }

func bitsOf(t *ir.Type) int {
	switch t.Kind {
	case reflect.Float32:
		return 32
	case reflect.Complex128:
		return 128
	}
	return 64
}

// fmtFlags are the flags that change the shape, not the leaves.
func sharpV(s fmt.State, verb rune) bool { return verb == 'v' && s.Flag('#') }
func plusV(s fmt.State, verb rune) bool  { return verb == 'v' && s.Flag('+') && !s.Flag('#') }

// format prints a value as fmt does.
func (m *machine) format(s fmt.State, verb rune, t *ir.Type, b bank, k, depth int, methods bool) {
	m.deeper()
	defer m.shallower()
	m.tick()
	if methods && m.formatMethod(s, verb, t, b, k) {
		return
	}
	switch t.Kind {
	case reflect.Map:
		m.formatMap(s, verb, t, b, k, depth, methods)
	case reflect.Struct:
		m.formatStruct(s, verb, t, b, k, depth, methods)
	case reflect.Interface:
		m.formatIface(s, verb, t, b.R[k], depth, methods)
	case reflect.Slice, reflect.Array:
		m.formatList(s, verb, t, b, k, depth, methods)
	case reflect.Pointer:
		m.formatPointer(s, verb, t, b, k, depth, methods)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		m.formatAddress(s, verb, t, b, k)
	case ir.KindHost:
		m.showDeclared(s, verb, t, hostDeref(t, b.R[k]), depth, methods)
	default:
		if methods && t.Named && t.Host != nil {
			m.showHost(s, verb, toHost(m, t, b, k, t.Host), depth, true)
			return
		}
		v := toHost(m, t, b, k, ir.KindTypes[t.Kind]).Interface()
		text := fmt.Sprintf(fmt.FormatString(s, verb), v)
		if strings.HasPrefix(text, "%!"+string(verb)+"(") {
			text = strings.Replace(text, "("+ir.KindTypes[t.Kind].String()+"=", "("+t.Str+"=", 1)
		}
		m.charge(int64(len(text)))
		io.WriteString(s, text)
	}
}

func (m *machine) formatMethod(s fmt.State, verb rune, t *ir.Type, b bank, k int) bool {
	if t.Kind == reflect.Interface || len(t.Methods) == 0 {
		return false
	}
	v := box(m, t, b, k)
	f, ok := v.(*Iface)
	if !ok {
		return false
	}
	if id := t.Methods["Format"]; id != 0 && m.p.Funcs[id-1].Params == 3 {
		m.printBy(s, verb, f, "Format", func() {
			lent := &borrowedState{s}
			defer lent.giveBack()
			m.calledQuietly(m.p.Funcs[id-1], nil, &ir.Obj{I: []int64{f.I, 0, int64(verb)}, S: []string{f.S, "", ""}, R: []any{f.R, lent, nil}}, 3)
		})
		return true
	}
	if sharpV(s, verb) {
		if t.Methods["GoString"] != 0 {
			m.printBy(s, verb, f, "GoString", func() { io.WriteString(s, m.textBy(f, "GoString")) })
			return true
		}
		return false
	}
	if !strings.ContainsRune("vsxXq", verb) {
		return false
	}
	for _, name := range []string{"Error", "String"} {
		id := t.Methods[name]
		if id == 0 {
			continue
		}
		fn := m.p.Funcs[id-1]
		if fn.Params != 1 || len(fn.Results.Fields) != 1 || fn.Results.Fields[0].Typ != ir.Universe.Str {
			continue
		}
		m.printBy(s, verb, f, name, func() {
			if text := m.textBy(f, name); m.stop == nil {
				fmt.Fprintf(s, fmt.FormatString(s, verb), text)
			}
		})
		return true
	}
	return false
}

func (m *machine) formatIface(s fmt.State, verb rune, t *ir.Type, v any, depth int, methods bool) {
	if v == nil {
		if sharpV(s, verb) {
			io.WriteString(s, t.Str+"(nil)")
		} else {
			io.WriteString(s, "<nil>")
		}
		return
	}
	if f, ok := v.(*Iface); ok {
		m.format(s, verb, f.T, ifaceCells(f), 0, depth+1, methods)
		return
	}
	m.showHost(s, verb, reflect.ValueOf(v), depth+1, methods)
}

func (m *machine) formatStruct(s fmt.State, verb rune, t *ir.Type, b bank, k, depth int, methods bool) {
	sharp := sharpV(s, verb)
	if sharp {
		io.WriteString(s, t.Str)
	}
	io.WriteString(s, "{")
	if t.Agg {
		b, k = asObj(t, b.R[k]), 0
	}
	for i, f := range t.Fields {
		if i > 0 {
			io.WriteString(s, map[bool]string{true: ", ", false: " "}[sharp])
		}
		if sharp || plusV(s, verb) {
			io.WriteString(s, f.Name+":")
		}
		m.format(s, verb, f.Typ, b, k+f.Off, depth+1, methods && f.Exported)
	}
	io.WriteString(s, "}")
}

func (m *machine) formatList(s fmt.State, verb rune, t *ir.Type, b bank, k, depth int, methods bool) {
	store, off, n := b.R[k], 0, t.N
	if t.Kind == reflect.Slice {
		n, off = int(b.I[k]), int(b.I[k+1]>>32)
	} else if store == nil {
		store = newAgg(t)
	}
	if t.Elem.Kind == reflect.Uint8 && strings.ContainsRune("sqxX", verb) {
		bytes := make([]byte, n)
		if n > 0 {
			copy(bytes, bytesOf(store, off, n))
		}
		fmt.Fprintf(s, fmt.FormatString(s, verb), bytes)
		return
	}
	open, sep, end := "[", " ", "]"
	m.charge(int64(n + 2))
	if sharpV(s, verb) {
		if t.Kind == reflect.Slice && store == nil {
			io.WriteString(s, t.Str+"(nil)")
			return
		}
		open, sep, end = t.Str+"{", ", ", "}"
	}
	io.WriteString(s, open)
	for i := range n {
		if i > 0 {
			io.WriteString(s, sep)
		}
		m.format(s, verb, t.Elem, elemCells1(t.Elem, store, off+i), 0, depth+1, methods)
	}
	io.WriteString(s, end)
}

func (m *machine) formatMap(s fmt.State, verb rune, t *ir.Type, b bank, k, depth int, methods bool) {
	h, _ := b.R[k].(*Map)
	open, sep, end := "map[", " ", "]"
	if sharpV(s, verb) {
		if h == nil {
			io.WriteString(s, t.Str+"(nil)")
			return
		}
		open, sep, end = t.Str+"{", ", ", "}"
	}
	io.WriteString(s, open)
	if h = h.solid(); h != nil {
		for i, row := range m.sortedRows(h) {
			if i > 0 {
				io.WriteString(s, sep)
			}
			m.format(s, verb, t.Key, h.keys, row*t.Key.W(), depth+1, methods)
			io.WriteString(s, ":")
			m.format(s, verb, t.Elem, h.vals, row*t.Elem.W(), depth+1, methods)
		}
	}
	io.WriteString(s, end)
}

func (m *machine) formatPointer(s fmt.State, verb rune, t *ir.Type, b bank, k, depth int, methods bool) {
	r := b.R[k]
	e := t.Elem
	if r == nil || depth > 0 || verb == 'p' {
		if r != nil && methods && t.Native && verb != 'p' {
			m.showHost(s, verb, reflect.ValueOf(r), depth, true)
			return
		}
		m.formatAddress(s, verb, t, b, k)
		return
	}
	switch e.Kind {
	case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
		io.WriteString(s, "&")
		m.format(s, verb, e, m.pointee(t, b, k), 0, depth+1, methods)
	case ir.KindHost:
		if t.Native {
			m.showHost(s, verb, reflect.ValueOf(r), depth, methods)
			return
		}
		io.WriteString(s, "&")
		m.showDeclared(s, verb, e, hostDeref(e, r), depth+1, methods)
	default:
		m.formatAddress(s, verb, t, b, k)
	}
}

// pointee loads what a pointer points to.
func (m *machine) pointee(t *ir.Type, b bank, k int) *ir.Obj {
	e := t.Elem
	o := ir.NewObj(e.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	if e.Agg {
		off := 0
		if e.Kind == reflect.Array {
			off = int(b.I[k+1] >> 32)
		} else {
			off = int(b.I[k])
		}
		n := newAgg(e)
		copyInto(e, n, 0, b.R[k], off)
		o.R[0] = n
		return o
	}
	loadValue(e, o, 0, memOf(b.R[k]), int(b.I[k]))
	return o
}

func (m *machine) formatAddress(s fmt.State, verb rune, t *ir.Type, b bank, k int) {
	if !m.formatPlace(s, verb, t.Str, m.pointsTo(t, b, k)) {
		m.formatWrong(s, verb, t, b, k)
	}
}

// formatWrong prints a value as fmt does when it cannot do what the verb asks for. Of the
// flags of %w it has taken notice before.
func (m *machine) formatWrong(s fmt.State, verb rune, t *ir.Type, b bank, k int) {
	fmt.Fprintf(s, "%%!%c(%s=", verb, t.Str)
	flags := s
	if verb != 'w' {
		flags = bare{s}
	}
	m.format(flags, 'v', t, b, k, 0, false)
	io.WriteString(s, ")")
}

// hasPlace reports that %p shows where a value of type t leads to.
func hasPlace(t *ir.Type) bool {
	switch t.Kind {
	case reflect.Pointer, reflect.Chan, reflect.Func, reflect.Map, reflect.Slice, reflect.UnsafePointer:
		return true
	}
	return false
}

// formatPlace prints an address, if the verb can.
func (m *machine) formatPlace(s fmt.State, verb rune, typ string, a uint64) bool {
	switch {
	case sharpV(s, verb):
		text := "nil"
		if a != 0 {
			text = fmt.Sprintf("%#x", a)
		}
		fmt.Fprintf(s, "(%s)(%s)", typ, text)
	case verb == 'v' && a == 0:
		fmt.Fprintf(s, fmt.FormatString(padded{s}, 's'), "<nil>")
	case verb == 'v' || verb == 'p':
		if s.Flag('#') {
			fmt.Fprintf(s, "%x", a)
		} else {
			fmt.Fprintf(s, "%#x", a)
		}
	case strings.ContainsRune("bodxX", verb):
		fmt.Fprintf(s, fmt.FormatString(s, verb), a)
	default:
		return false
	}
	return true
}
