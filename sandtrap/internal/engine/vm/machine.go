package vm

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
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// frame is where a call returns to. It holds no pointer.
type frame struct{ pc, base int32 }

// task is one goroutine of the script.
type task struct {
	prog    *ir.Program
	globals *ir.Obj
	stack
	kept    bank // of the stack, while another task has it
	fp      int
	pc      int
	base    int
	ticks   int
	ticked  bool
	sqrt    bool // math.Sqrt is bound to itself
	defers  []*deferRec
	panics  []*panicRec
	id      int
	dead    bool
	parked  bool
	waitFor string
	wait    waiter      // for one channel
	turn    script.Turn // asked before a parked task goes on; it stays parked if not
	start   script.Act  // what it starts with, if that is the host's to do
	atEnd   script.Act
	creator int         // the task that started it, or 0
	from    int         // its pc then
	slot    int         // in the list of those that have not ended
	driver  *driver     // that has frames of the host which this task called, if any has
	mixed   bool        // defers holds records out of order of depth
	backs   []*callback // callbacks from host code that run on this task
	deepest int         // how many of them there is room for
}

type deferRec struct {
	depth int
	call  callRec
}

// callRec is a call whose arguments are already there.
type callRec struct {
	fn    *ir.Func
	host  *ir.Closure
	cells *ir.Obj // parameters, and the closure after them
	n     int
	nilFn bool
}

// machine runs one program once.
type machine struct {
	scheduler
	crossing
	p           *ir.Program
	globals     *ir.Obj
	t           *task
	I           []int64 // the window of the current frame
	S           []string
	R           []any
	windowOf    *task  // whose that is
	spares      []bank // cells of stacks that no task has
	main        *task
	initialised int // packages that are initialised
	stop        *stopped
	addrs       map[any]uint64
	placed      uint64 // room that the addresses take
	copiedBytes int64  // bytes of the copies that the host got to print last
	noting      bool   // what goes to the host now is printed
	exports     map[any]any
	loans       []*loan
	arrays      map[any]any // stores over arrays of the host's, by pointer
	leading     map[reflect.Type]bool
	methods     map[methodKey]reflect.Value
	backs       []*loan     // that the host has for one call
	spareBack   *back       // that no callback has
	spareCells  *ir.Obj     // that no value is in which crosses
	spawned     *ir.Closure // that a call which starts a task was given
	rnd         *rand.Rand
	numbers     *rand.Rand // for scripts
	order       []int      // of the cases of a select
	maxFrames   int
	left        int // ticks left of those granted
	seam        *seam
	bindings    []bound // what is bound to gates, as far as it was called directly
	atHost      bool    // in a direct call: what panics is the host's
	looks       uint
	pieceDone   int         // bytes of a piece
	over        atomic.Bool // the turn has ended: nothing of the script runs any more
	tellLate    atomic.Pointer[func(name string)]
	handed      bool // the host has what wakes the machine for another turn
	broken      bool // a turn failed for a fault of the engine's
	live        *live
	keyNest     nest         // of comparisons
	walkNest    int          // of printing, and of what goes to the host
	panicking   bool         // the value of a panic is printed
	passing     *scriptPanic // is not for the host to recover

	types    *ir.TypeTable // of what the program has no Type for
	gobNames gob.Names

	// The state of packages above: each has its own, which it makes when it looks for it.
	reflected any // until the machine rests
	shows     any // the same
	templates any
	executing any // of templates, for one turn
}

// stopped ends a run.
type stopped struct {
	exit   int
	panic  *panicRec
	text   string
	reason string
	fault  error
	gate   *gates.Stop
	tasks  []engine.Task
}

const (
	pcEnd    = 0
	pcUnwind = 1
	pcBack   = 2
)

func init() {
	ir.FirstExts = [3]*ir.SlowOp{{Do: ir.DoTaskEnd}, {Do: ir.DoUnwound}, {Do: ir.DoBack}}
}

func (m *machine) newTask() *task {
	if limit := m.taskLimit(); len(m.alive) >= limit {
		m.halt(&stopped{reason: "tasks", text: fmt.Sprintf("the program has more than the %d goroutines it may have at a time", limit)})
	}
	m.nextID++
	frames := min(firstFrames, m.maxFrames)
	m.alloc(taskBytes + int64(frames)*frameBytes)
	t := &task{prog: m.p, globals: m.globals, id: m.nextID, slot: len(m.alive)}
	m.alive = append(m.alive, t)
	if m.t != nil {
		t.creator, t.from = m.t.id, m.t.pc
	}
	if m.main == nil {
		m.alloc(firstCells * cellBytes)
		t.stack = *stacks.Get().(*stack)
		t.frames = t.frames[:frames]
	} else {
		t.frames = make([]frame, frames)
	}
	return follow(m, t)
}

// room makes room for n cells above the base, and pays for it.
func (m *machine) room(n int) {
	t := m.t
	need := t.base + n
	if need <= len(t.I) {
		return
	}
	if need > maxStack {
		m.halt(tooDeep(m.maxFrames - beneath))
	}
	size := max(2*len(t.I), need)
	m.alloc(int64(size-len(t.I)) * cellBytes)
	I, S, R := longer(m, t.I, size), longer(m, t.S, size), longer(m, t.R, size) // any of them may stop the run
	t.I, t.S, t.R = I, S, R
	m.windowOf = nil
	follow(m, t)
}

// view sets the window of the machine to the current frame. A window of the same task
// that ends where its stack does begins where the frame does if it is as long.
func (m *machine) view() {
	t := m.t
	if m.windowOf == t && len(m.I) == len(t.I)-t.base {
		return
	}
	m.windowOf = t
	m.I, m.S, m.R = t.I[t.base:], t.S[t.base:], t.R[t.base:]
}

// push enters a function whose parameters start at cell shift of the window.
func (m *machine) push(fn *ir.Func, shift, retpc int) {
	t := m.t
	if t.fp+1 >= len(t.frames) {
		m.moreFrames(t)
	}
	t.fp++
	t.frames[t.fp] = frame{int32(retpc), int32(t.base)}
	t.base += shift
	m.room(max(window, fn.Nregs+window))
	t.pc = fn.Entry
	m.view()
}

// haltPanic carries a stop through the slow paths.
type haltPanic struct{ s *stopped }

// halt ends the run. Code of the host that stands between may swallow the panic,
// so the stop is noted first. By that, what is deferred knows the panic too, and leaves it on
// its way: each time that it is recovered, and raised again, costs microseconds, and there may
// be thousands of calls of the host in each other.
func (m *machine) halt(s *stopped) {
	if m.stop == nil {
		m.stop = s
	}
	panic(haltPanic{m.stop})
}

// stopNow goes on with the end of the run.
func (m *machine) stopNow() { panic(haltPanic{m.stop}) }

// loop runs tasks until the run ends; for a callback, its task until that is done.
func (m *machine) loop(b *back) {
	for m.stop == nil && (b == nil || !b.cb.done) {
		m.protect(b)
	}
}

// levelsAtOnce is through how many callbacks, one above the other, one panic brings a stop. To
// end it in each would take longer. But code of the host that recovers it and panics again leaves
// all frames that there were, which each later panic goes past: with no end to that, a stop would
// take the square of the levels.
const levelsAtOnce = 16

// protect runs until something is thrown, and turns that into a panic of the
// script or the end of the run.
func (m *machine) protect(b *back) {
	atHost := m.atHost
	m.atHost = false
	defer func() {
		was := m.atHost
		m.atHost = atHost
		if m.stop != nil && b != nil && b.cb.level%levelsAtOnce != 0 {
			return // what is on its way goes on, through the frames of the host below
		}
		r := recover()
		if m.stop != nil {
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
func (m *machine) thrown(r any) *scriptPanic {
	switch r := r.(type) {
	case nil:
	case *scriptPanic:
		if m.t != nil {
			return r
		}
		m.stop = &stopped{fault: fmt.Errorf("vm: a panic outside tasks: %v", r.val)}
	case haltPanic:
		m.stop = r.s
	case error:
		m.stop = &stopped{fault: fmt.Errorf("vm: %w\n%s", r, stackText())}
	default:
		m.stop = &stopped{fault: fmt.Errorf("vm: %v\n%s", r, stackText())}
	}
	return nil
}

func stackText() []byte {
	buf := make([]byte, 3000)
	return buf[:runtime.Stack(buf, false)]
}

func (m *machine) cycle(b *back) {
	code, words := m.p.Code, m.p.Words
	var own *task
	if b != nil {
		own = b.t
	}
	for {
		t := m.t
		if t == nil || t.parked {
			m.t = nil
			if !m.next(own) {
				return
			}
			continue
		}
		if t.start != nil {
			m.begin(t)
			continue
		}
		t.ticks = m.left
		hot(t, words)
		m.left = t.ticks
		if t.ticked {
			m.tickOut()
			t.ticked = false
			if m.stop != nil {
				return
			}
			continue
		}
		m.view()
		m.look()
		in := code[t.pc-1]
		if in.Op == ir.OpStop {
			x := m.p.Exts[in.D]
			does[x.Do](m, x)
			if m.stop != nil || in.D < int32(len(ir.FirstExts)) && b != nil && b.cb.done {
				return
			}
			continue
		}
		m.slow(in)
	}
}

// tickOut is called when a task has used its slice.
func (m *machine) tickOut() {
	m.grant()
	m.yield()
}

// tick is one tick for work that the engine does itself.
func (m *machine) tick() {
	if m.left--; m.left < 0 {
		m.grant()
	}
	if m.left&0x3f == 0 {
		m.check()
	}
}

// A bound is the value of a gate as a run has called it, with the number of the adapter for its type: code
// that calls it without reflection.
type bound struct {
	fn   any
	call int // 0 before it is known, noAdapter if there is none
}

const noAdapter = -1
