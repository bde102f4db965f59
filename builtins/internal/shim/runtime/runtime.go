package runtime

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A script sees a runtime with one processor, its own goroutines and its own
// memory. What would change the host's runtime does nothing.

// collections are those that the script asked for.
type collections struct{ n uint32 }

func GC(e *shim.Env) func()              { return func() { shim.State[collections](e).n++ } }
func Nothing(*shim.Env) func()           { return func() {} }
func GOMAXPROCS(*shim.Env) func(int) int { return func(int) int { return 1 } }
func NumCPU(*shim.Env) func() int        { return func() int { return 1 } }
func NumCgoCall(*shim.Env) func() int64  { return func() int64 { return 0 } }
func KeepAlive(*shim.Env) func(any)      { return func(any) {} }

// alone is for an engine whose goroutines the table knows nothing of.
func alone(what string) {
	panic(shim.RuntimeError("runtime." + what + " is not available on this engine"))
}

func Gosched(*shim.Env) func()          { return runtime.Gosched }
func Goexit(*shim.Env) func()           { return func() { alone("Goexit") } }
func NumGoroutine(*shim.Env) func() int { return func() int { alone("NumGoroutine"); return 0 } }

func ReadMemStats(e *shim.Env) func(*runtime.MemStats) {
	return func(s *runtime.MemStats) {
		var held, total int64
		if e.Gates != nil {
			held, total = e.Gates.Memory()
		}
		*s = runtime.MemStats{
			Alloc: uint64(held), HeapAlloc: uint64(held), HeapInuse: uint64(held), HeapSys: uint64(held), Sys: uint64(held),
			TotalAlloc: uint64(total), EnableGC: true, NumGC: shim.State[collections](e).n, NumForcedGC: shim.State[collections](e).n,
		}
	}
}

func DebugReadBuildInfo() (*debug.BuildInfo, bool) { return nil, false }

func DebugSetGCPercent(*shim.Env) func(int) int       { return func(int) int { return 100 } }
func DebugSetMaxStack(*shim.Env) func(int) int        { return func(int) int { return 1_000_000_000 } }
func DebugSetMaxThreads(*shim.Env) func(int) int      { return func(int) int { return 10_000 } }
func DebugSetMemoryLimit(*shim.Env) func(int64) int64 { return func(int64) int64 { return 1<<63 - 1 } }
func DebugSetPanicOnFault(*shim.Env) func(bool) bool  { return func(bool) bool { return false } }
func DebugSetTraceback(*shim.Env) func(string)        { return func(string) {} }

// A Tracer is a Tasks that knows where in its source a script is.
type Tracer interface {
	// Callers yields the functions that are being called, innermost first.
	Callers(yield func(fn, file string, line int) bool)
	// Running is the number of the goroutine.
	Running() int
}

// CallSite is where the script of e calls the host, file:line, as far as its engine can tell.
func CallSite(e *shim.Env) (at string) {
	if t, ok := e.Tasks.(Tracer); ok {
		t.Callers(func(_, file string, line int) bool {
			at = fmt.Sprintf("%s:%d", file, line)
			return false
		})
	}
	return at
}

// A place is one call in a script.
type place struct {
	fn, File string
	Line     int
}

// places are those of the call that the script has just made, innermost first.
func CallersOf(e *shim.Env) []place {
	t, ok := e.Tasks.(Tracer)
	if !ok {
		return nil
	}
	var list []place
	t.Callers(func(fn, file string, line int) bool {
		list = append(list, place{fn, file, line})
		return true
	})
	e.Charge(int64(len(list)) * 64)
	return list
}

// A placeTable gives places numbers, which are what a script sees as program
// counters: an index above firstPC. There are no more of them than calls in the
// script.
type placeTable struct {
	list  []place
	known map[place]uintptr
}

const firstPC = 0x400000

func (t *placeTable) pc(p place) uintptr {
	if pc, ok := t.known[p]; ok {
		return pc
	}
	if t.known == nil {
		t.known = map[place]uintptr{}
	}
	t.list = append(t.list, p)
	pc := uintptr(firstPC + len(t.list))
	t.known[p] = pc
	return pc
}

func (t *placeTable) at(pc uintptr) (place, bool) {
	if pc <= firstPC || pc-firstPC > uintptr(len(t.list)) {
		return place{}, false
	}
	return t.list[pc-firstPC-1], true
}

func Caller(e *shim.Env) func(int) (uintptr, string, int, bool) {
	return func(skip int) (uintptr, string, int, bool) {
		list := CallersOf(e)
		if skip < 0 || skip >= len(list) {
			return 0, "", 0, false
		}
		p := list[skip]
		return shim.State[placeTable](e).pc(p), p.File, p.Line, true
	}
}

// Callers counts itself as the first caller, as Go does.
func Callers(e *shim.Env) func(int, []uintptr) int {
	return func(skip int, pcs []uintptr) int {
		list := append([]place{{fn: "runtime.Callers"}}, CallersOf(e)...)
		if list[len(list)-1].fn == "main.main" {
			list = append(list, place{fn: "runtime.main"})
		}
		list = append(list, place{fn: "runtime.goexit"})
		n := 0
		for i := max(skip, 0); i < len(list) && n < len(pcs); i++ {
			pcs[n] = shim.State[placeTable](e).pc(list[i])
			n++
		}
		return n
	}
}

// RuntimeFunc is what a script sees as runtime.Func: one of its own.
type RuntimeFunc struct {
	place place
	pc    uintptr
}

// Name is that of the function.
func (f *RuntimeFunc) Name() string {
	if f == nil {
		return ""
	}
	return f.place.fn
}

// Entry is a number for the function.
func (f *RuntimeFunc) Entry() uintptr { return f.pc }

// FileLine is the place that the function was asked for with.
func (f *RuntimeFunc) FileLine(uintptr) (string, int) { return f.place.File, f.place.Line }

func FuncForPC(e *shim.Env) func(uintptr) *RuntimeFunc {
	return func(pc uintptr) *RuntimeFunc {
		p, ok := shim.State[placeTable](e).at(pc)
		if !ok {
			return nil
		}
		return &RuntimeFunc{p, pc}
	}
}

// RuntimeFrame is what a script sees as runtime.Frame.
type RuntimeFrame struct {
	PC       uintptr
	Func     *RuntimeFunc
	Function string
	File     string
	Line     int
	Entry    uintptr
}

// RuntimeFrames is what a script sees as runtime.Frames.
type RuntimeFrames struct{ list []RuntimeFrame }

// Next returns the next frame, and whether there are more.
func (f *RuntimeFrames) Next() (RuntimeFrame, bool) {
	if len(f.list) == 0 {
		return RuntimeFrame{}, false
	}
	first := f.list[0]
	f.list = f.list[1:]
	return first, len(f.list) > 0
}

func CallersFrames(e *shim.Env) func([]uintptr) *RuntimeFrames {
	return func(pcs []uintptr) *RuntimeFrames {
		f := &RuntimeFrames{}
		for _, pc := range pcs {
			if p, ok := shim.State[placeTable](e).at(pc); ok {
				e.Charge(128)
				f.list = append(f.list, RuntimeFrame{PC: pc, Func: &RuntimeFunc{p, pc}, Function: p.fn, File: p.File, Line: p.Line, Entry: pc})
			}
		}
		return f
	}
}

// stack is the trace of the running goroutine, as Go writes it, without what stands
// for the host's memory.
func stack(e *shim.Env) string {
	var b strings.Builder
	id := 1
	if t, ok := e.Tasks.(Tracer); ok {
		id = t.Running()
	}
	fmt.Fprintf(&b, "goroutine %d [running]:\n", id)
	for _, p := range CallersOf(e) {
		fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", p.fn, p.File, p.Line)
	}
	return b.String()
}

func Stack(e *shim.Env) func([]byte, bool) int {
	return func(b []byte, _ bool) int { return copy(b, stack(e)) }
}

func DebugStack(e *shim.Env) func() []byte { return func() []byte { return []byte(stack(e)) } }

func DebugPrintStack(e *shim.Env) func() {
	return func() { _, _ = io.WriteString(e.StdStreams().Err, stack(e)) }
}
