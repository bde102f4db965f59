package printer

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

func DoPrint(m *exec.Machine, x *ir.SlowOp)   { print(m, x, "", "") }
func DoPrintln(m *exec.Machine, x *ir.SlowOp) { print(m, x, " ", "\n") }

// print writes what print and println make. What is large goes out in parts, and is nowhere
// as a whole.
func print(m *exec.Machine, x *ir.SlowOp, sep, end string) {
	out := printing{m: m}
	for i, t := range x.Types {
		if i > 0 {
			out.add(sep)
		}
		out.add(printOne(m, t, x.Regs[i]))
	}
	out.add(end)
	out.flush()
}

const printPart = 64 << 10

// A printing has what is to be written next.
type printing struct {
	m    *exec.Machine
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
	_, _ = p.m.Host.Stderr.Write(p.text)
	p.m.CountCopied(len(p.text))
	p.text = p.text[:0]
}

func printOne(m *exec.Machine, t *ir.Type, r int) string {
	switch k := t.Kind; {
	case k == reflect.String:
		return m.S[r]
	case k == reflect.Bool:
		return strconv.FormatBool(m.I[r] != 0)
	case ir.IsFloat(t):
		return printFloat(ir.BitsFloat(m.I[r]), bitsOf(t))
	case ir.IsComplex(t):
		return strconv.FormatComplex(m.Cplx(r), 'g', -1, bitsOf(t))
	case ir.IsUnsigned(t):
		return strconv.FormatUint(uint64(m.I[r]), 10)
	case ir.IsInteger(t):
		return strconv.FormatInt(m.I[r], 10)
	case k == reflect.Slice:
		_, _, n, c := m.SliceAt(r)
		return fmt.Sprintf("[%d/%d]0x%x", n, c, m.Address(m.R[r]))
	case k == reflect.Interface:
		if m.R[r] == nil {
			return "(0x0,0x0)"
		}
		return fmt.Sprintf("(0x%x,0x%x)", m.Address(m.DynName(m.R[r])), 0xc000000000)
	}
	return fmt.Sprintf("0x%x", m.PointsTo(t, &ir.Obj{I: m.I, S: m.S, R: m.R}, r))
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

// Format prints a value as fmt does.
func Format(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k, depth int, methods bool) {
	m.Deeper()
	defer m.Shallower()
	m.Tick()
	e := echoing(s)
	if e != nil && (e.cut || e.large && depth > MaxEchoDepth) {
		e.cut = true
		return
	}
	if methods && formatMethod(m, s, verb, t, b, k) {
		return
	}
	if methods && hostText(t) {
		showHost(m, s, verb, exec.ToHost(m, t, b, k, t.Host), depth, true)
		return
	}
	switch t.Kind {
	case reflect.Map:
		formatMap(m, s, verb, t, b, k, depth, methods)
	case reflect.Struct:
		formatStruct(m, s, verb, t, b, k, depth, methods)
	case reflect.Interface:
		formatIface(m, s, verb, t, b.R[k], depth, methods)
	case reflect.Slice, reflect.Array:
		formatList(m, s, verb, t, b, k, depth, methods)
	case reflect.Pointer:
		formatPointer(m, s, verb, t, b, k, depth, methods)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		formatAddress(m, s, verb, t, b, k)
	case ir.KindHost:
		showDeclared(m, s, verb, t, exec.HostDeref(t, b.R[k]), depth, methods)
	default:
		if methods && t.Named && t.Host != nil {
			showHost(m, s, verb, exec.ToHost(m, t, b, k, t.Host), depth, true)
			return
		}
		if e != nil && t.Kind == reflect.String && e.left < len(b.S[k]) {
			formatPlain(m, s, verb, t, b.S[k][:e.left])
			e.cut = true
			return
		}
		formatPlain(m, s, verb, t, exec.ToHost(m, t, b, k, ir.KindTypes[t.Kind]).Interface())
	}
}

// formatPlain prints v, which is of the kind of t.
func formatPlain(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, v any) {
	text := fmt.Sprintf(fmt.FormatString(s, verb), v)
	if strings.HasPrefix(text, "%!"+string(verb)+"(") {
		text = strings.Replace(text, "("+ir.KindTypes[t.Kind].String()+"=", "("+t.Str+"=", 1)
	}
	m.Charge(int64(len(text)))
	io.WriteString(s, text)
}

func formatMethod(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k int) bool {
	if t.Kind == reflect.Interface || len(t.Methods) == 0 {
		return false
	}
	v := exec.Box(m, t, b, k)
	f, ok := v.(*exec.Iface)
	if !ok {
		return false
	}
	if id := t.Methods["Format"]; id != 0 && m.P.Funcs[id-1].Params == 3 {
		printBy(m, s, verb, f, "Format", func() {
			lent := &borrowedState{s}
			defer lent.giveBack()
			m.CallScriptQuietly(m.P.Funcs[id-1], nil, &ir.Obj{I: []int64{f.I, 0, int64(verb)}, S: []string{f.S, "", ""}, R: []any{f.R, lent, nil}}, 3)
		})
		return true
	}
	if sharpV(s, verb) && echoing(s) == nil {
		if t.Methods["GoString"] != 0 {
			printBy(m, s, verb, f, "GoString", func() { io.WriteString(s, textBy(m, f, "GoString")) })
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
		fn := m.P.Funcs[id-1]
		if fn.Params != 1 || len(fn.Results.Fields) != 1 || fn.Results.Fields[0].Typ != ir.Universe.Str {
			continue
		}
		printBy(m, s, verb, f, name, func() {
			text := textBy(m, f, name)
			switch {
			case m.Stop != nil:
			case echoing(s) != nil:
				io.WriteString(s, text)
			default:
				fmt.Fprintf(s, fmt.FormatString(s, verb), text)
			}
		})
		return true
	}
	return false
}

func formatIface(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, v any, depth int, methods bool) {
	if v == nil {
		if echoing(s) != nil {
			io.WriteString(s, "nil")
		} else if sharpV(s, verb) {
			io.WriteString(s, t.Str+"(nil)")
		} else {
			io.WriteString(s, "<nil>")
		}
		return
	}
	if f, ok := v.(*exec.Iface); ok {
		Format(m, s, verb, f.T, exec.IfaceCells(f), 0, depth+1, methods)
		return
	}
	showHost(m, s, verb, reflect.ValueOf(v), depth+1, methods)
}

func formatStruct(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k, depth int, methods bool) {
	sharp := sharpV(s, verb)
	if sharp {
		io.WriteString(s, t.Str)
	}
	io.WriteString(s, "{")
	if t.Agg {
		b, k = exec.AsObj(t, b.R[k]), 0
	}
	for i, f := range t.Fields {
		if i > 0 {
			io.WriteString(s, map[bool]string{true: ", ", false: " "}[sharp])
		}
		if sharp || plusV(s, verb) {
			io.WriteString(s, f.Name+":")
		}
		Format(m, s, verb, f.Typ, b, k+f.Off, depth+1, methods && f.Exported)
	}
	io.WriteString(s, "}")
}

func formatList(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k, depth int, methods bool) {
	store, off, n := b.R[k], 0, t.N
	if t.Kind == reflect.Slice {
		n, off = int(b.I[k]), int(b.I[k+1]>>32)
	} else if store == nil {
		store = exec.NewAgg(t)
	}
	if t.Elem.Kind == reflect.Uint8 && strings.ContainsRune("sqxX", verb) {
		bytes := make([]byte, n)
		if n > 0 {
			copy(bytes, exec.BytesOf(store, off, n))
		}
		fmt.Fprintf(s, fmt.FormatString(s, verb), bytes)
		return
	}
	if echoing(s) != nil && t.Str == "[]uint8" && store != nil {
		echoBytesOf(m, s, exec.BytesOf(store, off, n))
		return
	}
	open, sep, end := "[", " ", "]"
	m.Charge(int64(shown(s, n) + 2))
	if sharpV(s, verb) {
		if t.Kind == reflect.Slice && store == nil {
			io.WriteString(s, t.Str+"(nil)")
			return
		}
		open, sep, end = t.Str+"{", ", ", "}"
	}
	io.WriteString(s, open)
	for i := range shown(s, n) {
		if i > 0 {
			io.WriteString(s, sep)
		}
		Format(m, s, verb, t.Elem, exec.ElemCells1(t.Elem, store, off+i), 0, depth+1, methods)
	}
	io.WriteString(s, end)
}

func formatMap(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k, depth int, methods bool) {
	h, _ := b.R[k].(*exec.Map)
	open, sep, end := "map[", " ", "]"
	if sharpV(s, verb) {
		if h == nil {
			io.WriteString(s, t.Str+"(nil)")
			return
		}
		open, sep, end = t.Str+"{", ", ", "}"
	}
	io.WriteString(s, open)
	if h = h.Solid(); h != nil {
		for i, row := range SortedRows(m, h) {
			if full(s) {
				return
			}
			if i > 0 {
				io.WriteString(s, sep)
			}
			Format(m, s, verb, t.Key, h.Keys, row*t.Key.W(), depth+1, methods)
			io.WriteString(s, ":")
			Format(m, s, verb, t.Elem, h.Vals, row*t.Elem.W(), depth+1, methods)
		}
	}
	io.WriteString(s, end)
}

func formatPointer(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k, depth int, methods bool) {
	r := b.R[k]
	e, at := t.Elem, 0
	if r != nil && methods && verb != 'p' && hostText(e) {
		Format(m, s, verb, e, Pointee(m, t, b, k), 0, depth+1, true)
		return
	}
	if echoing(s) != nil && t.Host == nil {
		at = nearby
	}
	if r == nil || depth > at || verb == 'p' {
		if r != nil && methods && t.Native && verb != 'p' {
			showHost(m, s, verb, reflect.ValueOf(r), depth, true)
			return
		}
		formatAddress(m, s, verb, t, b, k)
		return
	}
	switch {
	case kinds.Composite.Has(e.Kind):
		io.WriteString(s, "&")
		Format(m, s, verb, e, Pointee(m, t, b, k), 0, depth+1, methods)
	case e.Kind == ir.KindHost:
		if t.Native {
			showHost(m, s, verb, reflect.ValueOf(r), depth, methods)
			return
		}
		io.WriteString(s, "&")
		showDeclared(m, s, verb, e, exec.HostDeref(e, r), depth+1, methods)
	default:
		formatAddress(m, s, verb, t, b, k)
	}
}

// Pointee loads what a pointer points to.
func Pointee(m *exec.Machine, t *ir.Type, b exec.Bank, k int) *ir.Obj {
	e := t.Elem
	o := ir.NewObj(e.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	if e.Agg {
		off := 0
		if e.Kind == reflect.Array {
			off = int(b.I[k+1] >> 32)
		} else {
			off = int(b.I[k])
		}
		n := exec.NewAgg(e)
		exec.CopyInto(e, n, 0, b.R[k], off)
		o.R[0] = n
		return o
	}
	exec.LoadValue(e, o, 0, exec.MemOf(b.R[k]), int(b.I[k]))
	return o
}

func formatAddress(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k int) {
	if !formatPlace(m, s, verb, t.Str, m.PointsTo(t, b, k)) {
		FormatWrong(m, s, verb, t, b, k)
	}
}

// FormatWrong prints a value as fmt does when it cannot do what the verb asks for. Of the
// flags of %w it has taken notice before.
func FormatWrong(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, b exec.Bank, k int) {
	fmt.Fprintf(s, "%%!%c(%s=", verb, t.Str)
	flags := s
	if verb != 'w' {
		flags = Bare{s}
	}
	Format(m, flags, 'v', t, b, k, 0, false)
	io.WriteString(s, ")")
}

// HasPlace reports that %p shows where a value of type t leads to.
func HasPlace(t *ir.Type) bool { return kinds.Place.Has(t.Kind) }

// formatPlace prints an address, if the verb can.
func formatPlace(m *exec.Machine, s fmt.State, verb rune, typ string, a uint64) bool {
	switch {
	case sharpV(s, verb):
		text := "nil"
		if a != 0 {
			text = fmt.Sprintf("%#x", a)
			if echoing(s) != nil {
				text = "..."
			}
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
