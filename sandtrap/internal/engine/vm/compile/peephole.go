package compile

import "github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"

// tidyJumps makes jumps go where they end up, and drops those that go nowhere and
// what nothing leads to.
func (f *fn) tidyJumps() {
	jumps := false
	for k := range f.Code {
		if ir.IsJump(f.Code[k].Op) {
			jumps = true
			f.thread(k)
		}
	}
	for jumps && f.dropCode() {
	}
}

// thread follows the jumps that jump k leads to.
func (f *fn) thread(k int) {
	in := &f.Code[k]
	for f.Code[in.D].Op == ir.OpJmp {
		in.D = f.Code[in.D].D
	}
	to := f.Code[in.D]
	if to.Op != ir.OpLoop || int(to.D) > k {
		return
	}
	if in.Op == ir.OpJmp {
		in.Op, in.D = ir.OpLoop, to.D
	} else if l, ok := loopOps[in.Op]; ok {
		in.Op, in.D = l, to.D
	}
}

// endsRun reports an instruction that the next one is never reached from.
func (f *fn) endsRun(in ir.Ins) bool {
	switch in.Op {
	case ir.OpJmp, ir.OpLoop, ir.OpRet, ir.OpRetI:
		return true
	}
	return false
}

// dropCode removes what is not needed, and reports that there was something.
func (f *fn) dropCode() bool {
	n := len(f.Code)
	if len(f.reached) <= n {
		f.reached, f.moved = make([]bool, n+1), make([]int32, n+1)
	}
	reached, at := f.reached[:n+1], f.moved[:n+1] // at: where each instruction will be
	clear(reached)
	for _, in := range f.Code {
		if ir.IsJump(in.Op) {
			reached[in.D] = true
		}
	}
	if f.out.Recover >= 0 {
		reached[f.out.Recover] = true
	}
	code, pos := f.Code[:0], f.Pos[:0]
	ended := false
	for k, in := range f.Code {
		at[k] = int32(len(code))
		nowhere := in.Op == ir.OpJmp && int(in.D) == k+1
		lost := ended && !reached[k]
		if !nowhere && !lost {
			code, pos = append(code, in), append(pos, f.Pos[k])
		}
		ended = f.endsRun(in)
	}
	at[n] = int32(len(code))
	if len(code) == n {
		return false
	}
	for k := range code {
		if ir.IsJump(code[k].Op) {
			code[k].D = at[code[k].D]
		}
	}
	for i := range f.calls {
		if c := &f.calls[i]; c.fn == f.out.Idx {
			c.at = int(at[c.at])
		}
	}
	if f.out.Recover >= 0 {
		f.out.Recover = int(at[f.out.Recover])
	}
	f.Code, f.Pos = code, pos
	return true
}
