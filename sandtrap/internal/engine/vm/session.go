package vm

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/call"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A session is one program that grows by a cell at a time, and the machine that runs
// what is new of it. Only the new cell is compiled: calls lead to the code that is there,
// and each variable is an object of its own, whose address is a constant.
type session struct {
	*compile.Linkage
	engine    Engine
	machine   *exec.Machine
	restoring bool
	shared    map[string]*compile.Global // of the script's packages, by path and name
	needs     []types.Type               // see Prepare
	cells     int                        // that were loaded since it was tidied
	code      int                        // instructions of theirs
	held      int64                      // bytes, when it was tidied
}

// Session starts a session.
func (e Engine) Session() engine.Session {
	k := compile.NewLinkage(e.wrappers)
	heap := engine.EnterHeap()
	heap.Pause()
	return &session{Linkage: k, engine: e, machine: exec.NewMachine(k.Program, heap), shared: map[string]*compile.Global{}}
}

// A loadedPart is a cell that is ready to run, once.
type loadedPart struct {
	*session
	*compile.CompiledPart
}

// Load compiles a cell. If it fails, the session is as it was.
func (s *session) Load(p *rewrite.Program, host engine.TypeOf, meter *gates.Meter) (engine.Cell, error) {
	s.cells++
	out, err := s.Compile(compile.NewLoader(p, host, s.engine.wrappers, meter, call.Abilities()), s.needs)
	if err != nil {
		return nil, err
	}
	s.needs = nil
	for _, f := range out.Compiled {
		s.code += f.End - f.Entry
	}
	return &loadedPart{s, out}, nil
}

func doPartAgg(m *exec.Machine, x *ir.SlowOp) {
	m.SetPtr(x.A, x.T, exec.AggAt(x.T, m.P.Refs[x.N].(*ir.Obj), 0))
}
