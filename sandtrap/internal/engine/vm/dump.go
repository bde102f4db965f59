package vm

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"sync"
)

// Dump writes the code of the functions whose name is name, for people.
func (p *Program) Dump(w io.Writer, name string) {
	for _, f := range p.placed {
		if f.name != name {
			continue
		}
		fmt.Fprintf(w, "%s: params %d results %d registers %d\n", f.name, f.params, f.rw, f.nregs)
		for pc := f.entry; pc < f.end; pc++ {
			in := p.code[pc]
			fmt.Fprintf(w, "%6d  %-6s %s", pc, ops[in.Op].name, in)
			if in.Op == opStop {
				x := p.exts[in.D]
				fmt.Fprintf(w, "  %s a%d b%d c%d %v %s", funcNameOf(does[x.do]), x.a, x.b, x.c, x.regs, x.s)
			}
			fmt.Fprintln(w)
		}
	}
}

var operand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(A|B|C|D|AB|BC)\b`) })

// String is what the table says of the operation, with the operands in it.
func (i Ins) String() string {
	return operand().ReplaceAllStringFunc(ops[i.Op].does, func(s string) string {
		n := map[string]int{
			"A": int(i.A), "B": int(i.B), "C": int(i.C), "D": int(i.D),
			"AB": int(i.A) | int(i.B)<<8, "BC": int(int16(uint16(i.B) | uint16(i.C)<<8)),
		}
		return strconv.Itoa(n[s])
	})
}

func funcNameOf(f func(*machine, *ext)) string {
	return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
}
