package vm

import "go/token"

// tidyJumps makes jumps go where they end up, and drops those that go nowhere and
// what nothing leads to.
func (f *fn) tidyJumps() {
	for k := range f.code {
		f.thread(k)
	}
	for f.dropCode() {
	}
}

// thread follows the jumps that jump k leads to.
func (f *fn) thread(k int) {
	in := &f.code[k]
	if !isJump(in.Op) {
		return
	}
	for f.code[in.D].Op == opJmp {
		in.D = f.code[in.D].D
	}
	to := f.code[in.D]
	if to.Op != opLoop || int(to.D) > k {
		return
	}
	if in.Op == opJmp {
		in.Op, in.D = opLoop, to.D
	} else if l, ok := loopOps[in.Op]; ok {
		in.Op, in.D = l, to.D
	}
}

// endsRun reports an instruction that the next one is never reached from.
func (f *fn) endsRun(in Ins) bool {
	switch in.Op {
	case opJmp, opLoop, opRet, opRetI:
		return true
	}
	return false
}

// dropCode removes what is not needed, and reports that there was something.
func (f *fn) dropCode() bool {
	reached := make([]bool, len(f.code)+1)
	for _, in := range f.code {
		if isJump(in.Op) {
			reached[in.D] = true
		}
	}
	if f.out.recover >= 0 {
		reached[f.out.recover] = true
	}
	at := make([]int32, len(f.code)+1) // where each instruction will be
	var code []Ins
	var pos []token.Pos
	for k, in := range f.code {
		at[k] = int32(len(code))
		nowhere := in.Op == opJmp && int(in.D) == k+1
		lost := k > 0 && !reached[k] && f.endsRun(f.code[k-1])
		if !nowhere && !lost {
			code, pos = append(code, in), append(pos, f.pos[k])
		}
	}
	at[len(f.code)] = int32(len(code))
	if len(code) == len(f.code) {
		return false
	}
	for k := range code {
		if isJump(code[k].Op) {
			code[k].D = at[code[k].D]
		}
	}
	for i := range f.calls {
		if c := &f.calls[i]; c.fn == f.out.idx {
			c.at = int(at[c.at])
		}
	}
	if f.out.recover >= 0 {
		f.out.recover = int(at[f.out.recover])
	}
	f.code, f.pos = code, pos
	return true
}
