package wrap

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// Scan gives the host variables of its own to scan into, and copies them back.
func Scan(m *exec.Machine, x *ir.SlowOp) {
	f := m.Host.Bind[x.N]
	in := m.Arguments(f.Type(), x)
	args, _ := in[len(in)-1].Interface().([]any)
	fresh := make([]any, len(args))
	made := map[any]any{} // a variable may be given twice
	var back []func()
	for i, a := range args {
		fresh[i] = a
		p, ok := exec.ScriptValue(a)
		if !ok || p.T.Kind != reflect.Pointer || p.R == nil {
			continue
		}
		key := identity(m, p)
		if v, again := made[key]; again {
			fresh[i] = v
			continue
		}
		if id := p.T.Methods["Scan"]; id != 0 && m.P.Funcs[id-1].Params == 3 {
			fresh[i] = ownScan{&plainVal{m: m, f: p}}
		} else if v := scanTarget(m, p); v.IsValid() {
			fresh[i] = v.Interface()
			made[key] = fresh[i]
			back = append(back, func() { storeScanned(m, p, v.Elem()) })
		}
	}
	in[len(in)-1] = reflect.ValueOf(fresh)
	m.Called(f, x, in)
	for _, b := range back {
		b()
	}
}

// ownScan is a value that scans itself.
type ownScan struct{ p *plainVal }

func (o ownScan) Scan(s fmt.ScanState, verb rune) error {
	lent := &borrowedScan{s}
	defer lent.giveBack()
	return get[error](o.p.call("Scan", lent, verb))
}

// scanTarget is a new variable of the kind that f, a pointer, points to, with the
// value that is there.
func scanTarget(m *exec.Machine, f *exec.Iface) reflect.Value {
	e := f.T.Elem
	if rt := ir.KindTypes[e.Kind]; rt != nil && e.W() == 1 {
		v := reflect.New(rt)
		v.Elem().Set(exec.ToHost(m, e, printer.Pointee(m, f.T, exec.IfaceCells(f), 0), 0, rt))
		return v
	}
	if e.Kind == reflect.Slice && e.Elem.Kind == reflect.Uint8 {
		return reflect.New(reflect.TypeFor[[]byte]())
	}
	return reflect.Value{}
}

func storeScanned(m *exec.Machine, f *exec.Iface, v reflect.Value) {
	e := f.T.Elem
	o := ir.NewObj(e.W(), ir.BankI|ir.BankS|ir.BankR, 1)
	exec.FromHost(m, v, e, o, 0)
	exec.CopyValue(e, exec.MemOf(f.R), int(f.I), o, 0)
}
