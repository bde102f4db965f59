package vm

// tidyJumps makes jumps go where they end up, and drops those that go nowhere and
// what nothing leads to.
func (f *fn) tidyJumps() {
	jumps := false
	for k := range f.code {
		if isJump(f.code[k].Op) {
			jumps = true
			f.thread(k)
		}
	}
	for jumps && f.dropCode() {
	}
}

// thread follows the jumps that jump k leads to.
func (f *fn) thread(k int) {
	in := &f.code[k]
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
	n := len(f.code)
	if len(f.reached) <= n {
		f.reached, f.moved = make([]bool, n+1), make([]int32, n+1)
	}
	reached, at := f.reached[:n+1], f.moved[:n+1] // at: where each instruction will be
	clear(reached)
	for _, in := range f.code {
		if isJump(in.Op) {
			reached[in.D] = true
		}
	}
	if f.out.recover >= 0 {
		reached[f.out.recover] = true
	}
	code, pos := f.code[:0], f.pos[:0]
	ended := false
	for k, in := range f.code {
		at[k] = int32(len(code))
		nowhere := in.Op == opJmp && int(in.D) == k+1
		lost := ended && !reached[k]
		if !nowhere && !lost {
			code, pos = append(code, in), append(pos, f.pos[k])
		}
		ended = f.endsRun(in)
	}
	at[n] = int32(len(code))
	if len(code) == n {
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
