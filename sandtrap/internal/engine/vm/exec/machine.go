package exec

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/gob"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/heap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// frame is where a call returns to. It holds no pointer.
type frame struct{ Pc, base int32 }

// Task is one goroutine of the script.
type Task struct {
	prog    *ir.Program
	globals *ir.Obj
	stack
	kept      Bank // of the stack, while another task has it
	Fp        int
	Pc        int
	Base      int
	ticks     int
	ticked    bool
	sqrt      bool // math.Sqrt is bound to itself
	Defers    []*DeferRec
	Panics    []*PanicRec
	Id        int
	dead      bool
	Parked    bool
	WaitFor   string
	wait      Waiter      // for one channel
	Turn      script.Turn // asked before a parked task goes on; it stays parked if not
	Start     script.Act  // what it starts with, if that is the host's to do
	AtEnd     script.Act
	creator   int              // the task that started it, or 0
	from      int              // its pc then
	slot      int              // in the list of those that have not ended
	driver    *driver          // that has frames of the host which this task called, if any has
	Mixed     bool             // defers holds records out of order of depth
	callbacks []*callbackState // callbacks from host code that run on this task
	deepest   int              // how many of them there is room for
}

type DeferRec struct {
	Depth int
	Call  callRec
}

// callRec is a call whose arguments are already there.
type callRec struct {
	fn    *ir.Func
	host  *ir.Closure
	cells *ir.Obj // parameters, and the closure after them
	n     int
	NilFn bool
}

// Machine runs one program once.
type Machine struct {
	scheduler
	Crossing
	P             *ir.Program
	Globals       *ir.Obj
	T             *Task
	I             []int64 // the window of the current frame
	S             []string
	R             []any
	WindowOf      *Task  // whose that is
	spares        []Bank // cells of stacks that no task has
	Main          *Task
	Initialised   int // packages that are initialised
	Stop          *Stopped
	addrs         map[any]uint64
	placed        uint64 // room that the addresses take
	copiedBytes   int64  // bytes of the copies that the host got to print last
	noting        bool   // what goes to the host now is printed
	Exports       map[any]any
	Shared        []*sharedPointer
	arrays        map[any]any // stores over arrays of the host's, by pointer
	leading       map[reflect.Type]bool
	lastLeading   reflect.Type // that was asked for last, and the answer: most calls are of one function
	lastMayLead   bool
	methods       map[methodKey]reflect.Value
	sharedForCall []*sharedPointer // that the host has for one call
	spareCallback *Callback        // that no callback has
	spareIn       []reflect.Value  // arguments of no call, cleared
	spareCells    *ir.Obj          // that no value is in which crosses
	Spawned       *ir.Closure      // that a call which starts a task was given
	Rnd           *rand.Rand
	Numbers       *rand.Rand // for scripts
	Order         []int      // of the cases of a select
	maxFrames     int
	Left          int // ticks left of those granted
	Host          *HostAPI
	Bindings      []Bound // what is bound to gates, as far as it was called directly
	AtHost        bool    // in a direct call: what panics is the host's
	looks         uint
	chunkDone     int // bytes of a piece
	lane          engine.Lane
	over          atomic.Bool // the turn has ended: nothing of the script runs any more
	tellLate      atomic.Pointer[func(name string)]
	Handed        bool // the host has what wakes the machine for another turn
	Broken        bool // a turn failed for a fault of the engine's
	Live          *heap.Live
	keyNest       Recursion    // of comparisons
	walkNest      int          // of printing, and of what goes to the host
	Panicking     bool         // the value of a panic is printed
	Passing       *ScriptPanic // is not for the host to recover

	Types    *ir.TypeTable // of what the program has no Type for
	GobNames gob.Names

	// The state of packages above: each has its own, which it makes when it looks for it.
	Reflected any // until the machine rests
	Shows     any // the same
	Templates any
	Executing any // of templates, for one turn
}

// Stopped ends a run.
type Stopped struct {
	exit   int
	panic  *PanicRec
	Text   string
	Reason string
	fault  error
	Gate   *gates.Stop
	tasks  []engine.Task
}

// wellStopped is the end of a run whose main task has returned.
var wellStopped = &Stopped{}

const (
	PcEnd    = 0
	pcUnwind = 1
	pcBack   = 2
)

func init() {
	ir.FirstExts = [3]*ir.SlowOp{{Do: ir.DoTaskEnd}, {Do: ir.DoUnwound}, {Do: ir.DoBack}}
}

func (m *Machine) NewTask() *Task {
	if limit := m.taskLimit(); len(m.Alive) >= limit {
		m.Halt(&Stopped{Reason: "tasks", Text: fmt.Sprintf("the program has more than the %d goroutines it may have at a time", limit)})
	}
	m.nextID++
	frames := min(firstFrames, m.maxFrames)
	m.Alloc(taskBytes + int64(frames)*frameBytes)
	t := &Task{prog: m.P, globals: m.Globals, Id: m.nextID, slot: len(m.Alive)}
	m.Alive = append(m.Alive, t)
	if m.T != nil {
		t.creator, t.from = m.T.Id, m.T.Pc
	}
	if m.Main == nil {
		m.Alloc(firstCells * CellBytes)
		t.stack = *stacks.Get().(*stack)
		t.Frames = t.Frames[:frames]
	} else {
		t.Frames = make([]frame, frames)
	}
	return Follow(m, t)
}

// Room makes room for n cells above the base, and pays for it.
func (m *Machine) Room(n int) {
	t := m.T
	need := t.Base + n
	if need <= len(t.I) {
		return
	}
	if need > maxStack {
		m.Halt(tooDeep(m.maxFrames - beneath))
	}
	size := max(2*len(t.I), need)
	m.Alloc(int64(size-len(t.I)) * CellBytes)
	I, S, R := grown(m, t.I, size), grown(m, t.S, size), grown(m, t.R, size) // any of them may stop the run
	t.I, t.S, t.R = I, S, R
	m.WindowOf = nil
	Follow(m, t)
}

// View sets the window of the machine to the current frame. A window of the same task
// that ends where its stack does begins where the frame does if it is as long.
func (m *Machine) View() {
	t := m.T
	if m.WindowOf == t && len(m.I) == len(t.I)-t.Base {
		return
	}
	m.WindowOf = t
	m.I, m.S, m.R = t.I[t.Base:], t.S[t.Base:], t.R[t.Base:]
}

// Push enters a function whose parameters start at cell shift of the window.
func (m *Machine) Push(fn *ir.Func, shift, retpc int) {
	t := m.T
	if t.Fp+1 >= len(t.Frames) {
		m.moreFrames(t)
	}
	t.Fp++
	t.Frames[t.Fp] = frame{int32(retpc), int32(t.Base)}
	t.Base += shift
	m.Room(max(Window, fn.Nregs+Window))
	t.Pc = fn.Entry
	m.View()
}

// HaltPanic carries a stop through the slow paths.
type HaltPanic struct{ s *Stopped }

// Halt ends the run. Code of the host that stands between may swallow the panic,
// so the stop is noted first. By that, what is deferred knows the panic too, and leaves it on
// its way: each time that it is recovered, and raised again, costs microseconds, and there may
// be thousands of calls of the host in each other.
func (m *Machine) Halt(s *Stopped) {
	if m.Stop == nil {
		m.Stop = s
	}
	panic(HaltPanic{m.Stop})
}

// StopNow goes on with the end of the run.
func (m *Machine) StopNow() { panic(HaltPanic{m.Stop}) }

// loop runs tasks until the run ends; for a callback, its task until that is done.
func (m *Machine) loop(b *Callback) {
	if b == nil {
		m.lane.In((*tasksLoop)(m))
	} else {
		m.lane.In((*callbackLoop)(b))
	}
}

// InLane calls f beneath the frames of the lane once more: what calls itself often does that from time to time.
func (m *Machine) InLane(f func()) { m.lane.In(engine.ActFunc(f)) }

// tasksLoop and callbackLoop are the loop beneath the frames of the lane. A closure would be an allocation more.
type (
	tasksLoop    Machine
	callbackLoop Callback
)

func (l *tasksLoop) Do() {
	for m := (*Machine)(l); m.Stop == nil; {
		m.protect(nil)
	}
}

func (l *callbackLoop) Do() {
	for b := (*Callback)(l); b.m.Stop == nil && !b.cb.done; {
		b.m.protect(b)
	}
}

// levelsAtOnce is through how many callbacks, one above the other, one panic brings a stop. To
// end it in each would take longer. But code of the host that recovers it and panics again leaves
// all frames that there were, which each later panic goes past: with no end to that, a stop would
// take the square of the levels.
const levelsAtOnce = 16

// protect runs until something is thrown, and turns that into a panic of the
// script or the end of the run.
func (m *Machine) protect(b *Callback) {
	atHost := m.AtHost
	m.AtHost = false
	defer func() {
		was := m.AtHost
		m.AtHost = atHost
		if m.Stop != nil && b != nil && b.cb.level%levelsAtOnce != 0 {
			return // what is on its way goes on, through the frames of the host below
		}
		r := recover()
		if m.Stop != nil {
			return
		}
		if was && r != nil {
			r = m.fromDirect(r)
		}
		m.raise(m.thrown(r))
	}()
	m.cycle(b)
}

// thrown is the panic of the script that was thrown. Anything else ends the run.
func (m *Machine) thrown(r any) *ScriptPanic {
	switch r := r.(type) {
	case nil:
	case *ScriptPanic:
		if m.T != nil {
			return r
		}
		m.Stop = &Stopped{fault: fmt.Errorf("vm: a panic outside tasks: %v", r.val)}
	case HaltPanic:
		m.Stop = r.s
	case error:
		m.Stop = &Stopped{fault: fmt.Errorf("vm: %w\n%s", r, stackText())}
	default:
		m.Stop = &Stopped{fault: fmt.Errorf("vm: %v\n%s", r, stackText())}
	}
	return nil
}

func stackText() []byte {
	buf := make([]byte, 3000)
	return buf[:runtime.Stack(buf, false)]
}

func (m *Machine) cycle(b *Callback) {
	code, words := m.P.Code, m.P.Words
	var own *Task
	if b != nil {
		own = b.t
	}
	for {
		t := m.T
		if t == nil || t.Parked {
			m.T = nil
			if !m.next(own) {
				return
			}
			continue
		}
		if t.Start != nil {
			m.begin(t)
			continue
		}
		t.ticks = m.Left
		hot(t, words)
		m.Left = t.ticks
		if t.ticked {
			m.tickOut()
			t.ticked = false
			if m.Stop != nil {
				return
			}
			continue
		}
		m.View()
		m.Poll()
		in := code[t.Pc-1]
		if in.Op == ir.OpStop {
			x := m.P.Exts[in.D]
			Does[x.Do](m, x)
			if m.Stop != nil || in.D < int32(len(ir.FirstExts)) && b != nil && b.cb.done {
				return
			}
			continue
		}
		m.slow(in)
	}
}

// tickOut is called when a task has used its slice.
func (m *Machine) tickOut() {
	m.grant()
	m.yield()
}

// Tick is one tick for work that the engine does itself.
func (m *Machine) Tick() {
	if m.Left--; m.Left < 0 {
		m.grant()
	}
	if m.Left&0x3f == 0 {
		m.PollNow()
	}
}

// A Bound is the value of a gate as a run has called it, with the number of the adapter for its type: code
// that calls it without reflection.
type Bound struct {
	Fn   any
	Call int // 0 before it is known, NoAdapter if there is none, less if it is a field
}

const NoAdapter = -1
