package vm

import (
	"fmt"
	"go/types"
	"io"
	"os"
	"reflect"
	"strings"
	"time"
)

// intrinsics are host functions that the machine does itself.
var intrinsics = map[string]func(*machine, *ext){
	"fmt.Println":        func(m *machine, x *ext) { m.wrote(x, m.out, fmt.Sprintln(m.anys(x, 0)...)) },
	"fmt.Print":          func(m *machine, x *ext) { m.wrote(x, m.out, fmt.Sprint(m.anys(x, 0)...)) },
	"fmt.Printf":         func(m *machine, x *ext) { m.wrote(x, m.out, m.sprintf(x, 0)) },
	"fmt.Sprintln":       func(m *machine, x *ext) { m.setS(x, fmt.Sprintln(m.anys(x, 0)...)) },
	"fmt.Sprint":         func(m *machine, x *ext) { m.setS(x, fmt.Sprint(m.anys(x, 0)...)) },
	"fmt.Sprintf":        func(m *machine, x *ext) { m.setS(x, m.sprintf(x, 0)) },
	"fmt.Fprintln":       func(m *machine, x *ext) { m.fprint(x, fmt.Sprintln(m.anys(x, 1)...)) },
	"fmt.Fprint":         func(m *machine, x *ext) { m.fprint(x, fmt.Sprint(m.anys(x, 1)...)) },
	"fmt.Fprintf":        func(m *machine, x *ext) { m.fprint(x, m.sprintf(x, 1)) },
	"os.Exit":            func(m *machine, x *ext) { m.halt(&stopped{exit: int(m.I[x.regs[0]]), reason: "exit"}) },
	"runtime.Gosched":    doGosched,
	"runtime.GC":         func(*machine, *ext) {},
	"runtime.Goexit":     func(*machine, *ext) { panic(&scriptPanic{goexit: true}) },
	"runtime.GOMAXPROCS": func(m *machine, x *ext) { m.I[x.a] = 1 },
	"runtime.NumCPU":     func(m *machine, x *ext) { m.I[x.a] = 1 },
	"runtime.NumGoroutine": func(m *machine, x *ext) {
		m.I[x.a] = int64(m.tasks)
	},
	"runtime.LockOSThread":       func(*machine, *ext) {},
	"runtime.UnlockOSThread":     func(*machine, *ext) {},
	"runtime.KeepAlive":          func(*machine, *ext) {},
	"runtime.ReadMemStats":       func(*machine, *ext) {},
	"runtime.SetFinalizer":       func(*machine, *ext) {},
	"runtime/debug.SetGCPercent": func(m *machine, x *ext) { m.I[x.a] = 100 },
	"runtime/debug.FreeOSMemory": func(*machine, *ext) {},
	"time.Sleep":                 doSleep,
	"errors.As":                  doErrorsAs,
}

func (m *machine) setS(x *ext, s string) {
	m.view()
	m.S[x.a] = s
}

func (m *machine) wrote(x *ext, w io.Writer, s string) {
	n, err := io.WriteString(w, s)
	m.view()
	m.I[x.a] = int64(n)
	m.R[x.a+1] = nil
	if err != nil {
		m.R[x.a+1] = err
	}
}

func (m *machine) fprint(x *ext, s string) {
	m.view()
	w, _ := m.export(m.R[x.regs[0]]).(io.Writer)
	switch w {
	case io.Writer(os.Stdout):
		w = m.out
	case io.Writer(os.Stderr):
		w = m.errw
	case nil:
		throwNil()
	}
	m.wrote(x, w, s)
}

// anys takes the variadic arguments at parameter k.
func (m *machine) anys(x *ext, k int) []any {
	store, off, n, _ := m.sliceAt(x.regs[k])
	vs := make([]any, n)
	for i := range vs {
		vs[i] = m.export(store.(*Obj).R[off+i])
	}
	return vs
}

// sprintf is fmt.Sprintf, where the verbs that fmt answers itself by reflection
// are answered for script types here.
func (m *machine) sprintf(x *ext, k int) string {
	format := m.S[x.regs[k]]
	vs := m.anys(x, k+1)
	if strings.Contains(format, "T") || strings.Contains(format, "p") {
		format = m.typeVerbs(format, vs)
	}
	return fmt.Sprintf(format, vs...)
}

// typeVerbs replaces %T and %p of script values by their text.
func (m *machine) typeVerbs(format string, vs []any) string {
	out := []byte(format)
	arg := 0
	for i := 0; i < len(out); i++ {
		if out[i] != '%' {
			continue
		}
		i++
		for i < len(out) && strings.IndexByte("+-# 0123456789.*[]", out[i]) >= 0 {
			if out[i] == '*' {
				arg++
			}
			if out[i] == '[' {
				return format
			}
			i++
		}
		if i >= len(out) || out[i] == '%' {
			continue
		}
		if arg < len(vs) {
			if w, ok := vs[arg].(wrapped); ok {
				f := w.script().(*Iface)
				switch out[i] {
				case 'T':
					out[i], vs[arg] = 's', f.T.str
				}
			}
		}
		arg++
	}
	return string(out)
}

func doGosched(m *machine, _ *ext) {
	m.wakeTimers()
	m.runq = append(m.runq, m.t)
	m.t = nil
}

func doSleep(m *machine, x *ext) {
	t := m.t
	d := time.Duration(m.I[x.regs[0]])
	m.after(d, func() { m.ready(t) })
	m.park("sleep")
}

// doErrorsAs is errors.As, which cannot see script types from outside.
func doErrorsAs(m *machine, x *ext) {
	err, target := m.R[x.regs[0]], m.R[x.regs[1]]
	f, ok := target.(*Iface)
	if !ok || f.T.kind != reflect.Pointer || f.R == nil {
		throw("errors: target must be a non-nil pointer")
	}
	e := f.T.elem
	ok = m.asChain(err, e, f)
	m.view()
	m.I[x.a] = b2i(ok)
}

func (m *machine) asChain(err any, e0 *Type, target *Iface) bool {
	m.deeper()
	defer m.shallower()
	for err != nil {
		m.check()
		if m.assignTo(err, e0, target) {
			return true
		}
		if m.asMethod(err, target) {
			return true
		}
		next, many := m.unwrapped(err)
		for _, e := range many {
			if e != nil && m.asChain(e, e0, target) {
				return true
			}
		}
		err = next
	}
	return false
}

func (m *machine) assignTo(err any, e *Type, target *Iface) bool {
	o := newObj(max(1, e.w()), mI|mS|mR, 1)
	switch {
	case e.kind == reflect.Interface:
		if !m.implements(err, e) {
			return false
		}
		o.R[0] = err
	case m.p.dynType(err) == e:
		unbox(err, e, o, 0)
	default:
		return false
	}
	if e.agg {
		copyInto(e, target.R, int(target.I), o.R[0], 0)
		return true
	}
	copyCells(e.cells, memOf(target.R), int(target.I), o, 0)
	return true
}

func (m *machine) implements(v any, t *Type) bool {
	return m.hasAll(v, t)
}

func (m *machine) hasAll(v any, t *Type) bool {
	for _, f := range ifaceMethods(t) {
		if s, ok := v.(*Iface); ok {
			if s.T.methods[f.Id()] == 0 {
				return false
			}
			continue
		}
		if !m.hostShows(v, f) {
			return false
		}
	}
	return true
}

func ifaceMethods(t *Type) []*types.Func {
	it := t.t.Underlying().(*types.Interface)
	var fs []*types.Func
	for i := range it.NumMethods() {
		fs = append(fs, it.Method(i))
	}
	return fs
}
