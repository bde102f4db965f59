package builtins

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// A script sees a runtime with one processor, its own goroutines and its own
// memory. What would change the host's runtime does nothing.

// collections are those that the script asked for.
type collections struct{ n uint32 }

func runtimeGC(e *Env) func()              { return func() { State[collections](e).n++ } }
func runtimeNothing(*Env) func()           { return func() {} }
func runtimeGOMAXPROCS(*Env) func(int) int { return func(int) int { return 1 } }
func runtimeNumCPU(*Env) func() int        { return func() int { return 1 } }
func runtimeNumCgoCall(*Env) func() int64  { return func() int64 { return 0 } }
func runtimeKeepAlive(*Env) func(any)      { return func(any) {} }

// alone is for an engine whose goroutines the table knows nothing of.
func alone(what string) { panic(runtimeError("runtime." + what + " is not available on this engine")) }

func runtimeGosched(*Env) func()          { return runtime.Gosched }
func runtimeGoexit(*Env) func()           { return func() { alone("Goexit") } }
func runtimeNumGoroutine(*Env) func() int { return func() int { alone("NumGoroutine"); return 0 } }

func runtimeReadMemStats(e *Env) func(*runtime.MemStats) {
	return func(s *runtime.MemStats) {
		var held, total int64
		if e.Gates != nil {
			held, total = e.Gates.Memory()
		}
		*s = runtime.MemStats{
			Alloc: uint64(held), HeapAlloc: uint64(held), HeapInuse: uint64(held), HeapSys: uint64(held), Sys: uint64(held),
			TotalAlloc: uint64(total), EnableGC: true, NumGC: State[collections](e).n, NumForcedGC: State[collections](e).n,
		}
	}
}

func debugReadBuildInfo() (*debug.BuildInfo, bool) { return nil, false }

func debugSetGCPercent(*Env) func(int) int       { return func(int) int { return 100 } }
func debugSetMaxStack(*Env) func(int) int        { return func(int) int { return 1_000_000_000 } }
func debugSetMaxThreads(*Env) func(int) int      { return func(int) int { return 10_000 } }
func debugSetMemoryLimit(*Env) func(int64) int64 { return func(int64) int64 { return 1<<63 - 1 } }
func debugSetPanicOnFault(*Env) func(bool) bool  { return func(bool) bool { return false } }
func debugSetTraceback(*Env) func(string)        { return func(string) {} }

// A tracer is a Tasks that knows where in its source a script is.
type tracer interface {
	// Callers yields the functions that are being called, innermost first.
	Callers(yield func(fn, file string, line int) bool)
	// Running is the number of the goroutine.
	Running() int
}

// A place is one call in a script.
type place struct {
	fn, file string
	line     int
}

// places are those of the call that the script has just made, innermost first.
func (e *Env) callers() []place {
	t, ok := e.Tasks.(tracer)
	if !ok {
		return nil
	}
	var list []place
	t.Callers(func(fn, file string, line int) bool {
		list = append(list, place{fn, file, line})
		return true
	})
	e.charge(int64(len(list)) * 64)
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

func runtimeCaller(e *Env) func(int) (uintptr, string, int, bool) {
	return func(skip int) (uintptr, string, int, bool) {
		list := e.callers()
		if skip < 0 || skip >= len(list) {
			return 0, "", 0, false
		}
		p := list[skip]
		return State[placeTable](e).pc(p), p.file, p.line, true
	}
}

// runtimeCallers counts itself as the first caller, as Go does.
func runtimeCallers(e *Env) func(int, []uintptr) int {
	return func(skip int, pcs []uintptr) int {
		list := append([]place{{fn: "runtime.Callers"}}, e.callers()...)
		if list[len(list)-1].fn == "main.main" {
			list = append(list, place{fn: "runtime.main"})
		}
		list = append(list, place{fn: "runtime.goexit"})
		n := 0
		for i := max(skip, 0); i < len(list) && n < len(pcs); i++ {
			pcs[n] = State[placeTable](e).pc(list[i])
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
func (f *RuntimeFunc) FileLine(uintptr) (string, int) { return f.place.file, f.place.line }

func runtimeFuncForPC(e *Env) func(uintptr) *RuntimeFunc {
	return func(pc uintptr) *RuntimeFunc {
		p, ok := State[placeTable](e).at(pc)
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

func runtimeCallersFrames(e *Env) func([]uintptr) *RuntimeFrames {
	return func(pcs []uintptr) *RuntimeFrames {
		f := &RuntimeFrames{}
		for _, pc := range pcs {
			if p, ok := State[placeTable](e).at(pc); ok {
				e.charge(128)
				f.list = append(f.list, RuntimeFrame{PC: pc, Func: &RuntimeFunc{p, pc}, Function: p.fn, File: p.file, Line: p.line, Entry: pc})
			}
		}
		return f
	}
}

// stack is the trace of the running goroutine, as Go writes it, without what stands
// for the host's memory.
func (e *Env) stack() string {
	var b strings.Builder
	id := 1
	if t, ok := e.Tasks.(tracer); ok {
		id = t.Running()
	}
	fmt.Fprintf(&b, "goroutine %d [running]:\n", id)
	for _, p := range e.callers() {
		fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", p.fn, p.file, p.line)
	}
	return b.String()
}

func runtimeStack(e *Env) func([]byte, bool) int {
	return func(b []byte, _ bool) int { return copy(b, e.stack()) }
}

func debugStack(e *Env) func() []byte { return func() []byte { return []byte(e.stack()) } }

func debugPrintStack(e *Env) func() {
	return func() { _, _ = io.WriteString(e.std().err, e.stack()) }
}
