package vm

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
)

// Dump writes the code of the functions whose name is name, for people.
func (p *Program) Dump(w io.Writer, name string) {
	for _, f := range p.funcs {
		if f.name != name {
			continue
		}
		fmt.Fprintf(w, "%s: params %d results %d registers %d\n", f.name, f.params, f.rw, f.nregs)
		for pc := f.entry; pc < f.end; pc++ {
			in := p.code[pc]
			fmt.Fprintf(w, "%6d  op%-3d %3d %3d %3d %d", pc, in.Op, in.A, in.B, in.C, in.D)
			if in.Op == opStop {
				x := p.exts[in.D]
				fmt.Fprintf(w, "  %s a%d b%d c%d %v %s", funcNameOf(x.do), x.a, x.b, x.c, x.regs, x.s)
			}
			fmt.Fprintln(w)
		}
	}
}

func funcNameOf(f func(*machine, *ext)) string {
	return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
}
