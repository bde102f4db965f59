package mutate

// vmRows are the default engine's: what it lets a script have of the host's values, and what it
// counts.
func vmRows() []Mutation { return append(writeRows(), engineRows()...) }

const hostWrite = "./sandtrap/sandtraptest/hostwrite"

func writeRows() []Mutation {
	return []Mutation{
		{
			ID: "write/question", Defence: "what writes to memory of the host's asks whether the run may",
			File:    "sandtrap/internal/engine/vm/exec/hostwrite.go",
			Old:     `if !m.Host.MayWrite(v.UnsafeAddr(), v.Type(), whole) {`,
			New:     `if m == nil && !m.Host.MayWrite(v.UnsafeAddr(), v.Type(), whole) {`,
			Package: hostWrite, Test: "TestHostWrite|TestForgedOpaque",
		}, {
			ID: "write/shared", Defence: "what the process shares no run writes to",
			File:    "builtins/internal/shim/rights.go",
			Old:     `if e.Rules == nil || e.Rules.Shared(at) || e.Rules.HoldsError(at, rt) {`,
			New:     `if e.Rules == nil || e.Rules.HoldsError(at, rt) {`,
			Package: hostWrite, Test: "TestHostWrite",
		}, {
			ID: "write/whole", Defence: "a struct with hidden fields is not replaced",
			File:    "builtins/internal/shim/rights.go",
			Old:     `return !whole || e.rights(rt).Replace`,
			New:     `return true`,
			Package: hostWrite, Test: "TestForgedOpaque",
		}, {
			ID: "write/error", Defence: "nor is an error that a variable of the host holds",
			File:    "builtins/internal/shim/rights.go",
			Old:     `e.Rules.Shared(at) || e.Rules.HoldsError(at, rt) {`,
			New:     `e.Rules.Shared(at) {`,
			Package: "./sandtrap/sandtraptest", Test: "TestLoadedKept",
		}, {
			ID: "write/told", Defence: "errors of templates show no memory of the host",
			File: "sandtrap/internal/engine/vm/templates/print.go",
			Old:  `return printer.Show(m, v.Boxed(m))`,
			New: `_ = printer.Show
	return shown(m, v)`,
			Package: "./sandtrap/sandtraptest", Test: "TestTemplateErrors",
		}, {
			ID: "write/returned", Defence: "nor is what functions return of what the process shares",
			File:    "builtins/internal/shim/rights.go",
			Old:     `if e.Rules == nil || e.Rules.Shared(at) || e.Rules.HoldsError(at, rt) {`,
			New:     `if e.Rules == nil || e.Rules.HoldsError(at, rt) {`,
			Package: "./builtins", Test: "TestReturned",
		}, {
			ID: "write/make", Defence: "no value of an opaque type comes from a script",
			File:    "sandtrap/internal/engine/vm/exec/hostwrite.go",
			Old:     `if t.Kind == ir.KindHost && !m.Host.MayMake(t.Mem) {`,
			New:     `if m == nil && !m.Host.MayMake(t.Mem) {`,
			Package: hostWrite, Test: "TestForgedOpaque",
		}, {
			ID: "write/borrowed", Defence: "bytes that a method of a script is called with are a copy",
			File:    "sandtrap/internal/engine/vm/exec/chunk.go",
			Old:     `if v != nil {`,
			New:     `if v == nil {`,
			Package: hostWrite, Test: "TestBorrowed",
		}, {
			ID: "write/filled", Defence: "bytes that a method of a script fills are its own",
			File:    "sandtrap/internal/engine/vm/wrap/borrowed.go",
			Old:     `own = newBytes(w.m, len(p))`,
			New:     `own = p`,
			Package: hostWrite, Test: "TestBorrowed",
		}, {
			ID: "write/borrowed-yaegi", Defence: "with engine yaegi too, bytes that a method of a script is called with are a copy",
			File:    "sandtrap/internal/engine/yaegi/wrap.go",
			Old:     `bytes.Clone(p)`,
			New:     `bytes.TrimSuffix(p, nil)`,
			Package: hostWrite, Test: "TestBorrowedYaegi",
		}, {
			ID: "write/filled-yaegi", Defence: "and bytes that it fills are its own",
			File:    "sandtrap/internal/engine/yaegi/wrap.go",
			Old:     `own := make([]byte, min(len(p), engine.MaxRead))`,
			New:     `own := p[:min(len(p), engine.MaxRead)]`,
			Package: hostWrite, Test: "TestBorrowedYaegi",
		}, {
			ID: "write/state", Defence: "a state of fmt is good for nothing after the call",
			File:    "sandtrap/internal/engine/vm/printer/borrowed.go",
			Old:     `{ b.State = endedState{} }`,
			New:     `{}`,
			Package: hostWrite, Test: "TestBorrowed",
		}, {
			ID: "write/elements", Defence: "elements of what the process shares are not written",
			File:    "sandtrap/internal/engine/vm/exec/hostmem.go",
			Old:     `fixed := m.fixed(v)`,
			New:     `fixed := false`,
			Package: hostWrite, Test: "TestHostWrite",
		}, {
			ID: "write/reflected", Defence: "nor by reflection",
			File:    "sandtrap/internal/engine/vm/mirror/reflect_val.go",
			Old:     "if v.T.Kind == ir.KindHost {\n\t\t\tv.mustReplace(m, to)",
			New:     "if v.T == nil {\n\t\t\tv.mustReplace(m, to)",
			Package: hostWrite, Test: "TestHostWrite|TestForgedOpaque",
		}, {
			ID: "write/errors-as", Defence: "nor by errors.As",
			File:    "sandtrap/internal/engine/vm/call/errors.go",
			Old:     `if e.Kind == ir.KindHost && !own {`,
			New:     `if e.Kind == ir.KindHost && !own && m == nil {`,
			Package: hostWrite, Test: "TestForgedOpaque",
		},
	}
}

func engineRows() []Mutation {
	return []Mutation{
		{
			ID: "vm/circle", Defence: "a value that holds itself does not get to the host, whose stack it would take",
			File:    "sandtrap/internal/engine/vm/exec/circle.go",
			Old:     `if m != nil && m.leads(v) {`,
			New:     `if m == nil && m.leads(v) {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestInThemselves",
		}, {
			ID: "vm/circle-stored", Defence: "nor does a script make one in memory that the host has",
			File:    "sandtrap/internal/engine/vm/exec/circle.go",
			Old:     `if at < w.end && w.start < at+size {`,
			New:     `if at < w.end && w.start > at+size {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestInThemselves",
		}, {
			ID: "vm/circle-shared", Defence: "looking for one goes through what is shared once",
			File:    "sandtrap/internal/engine/vm/exec/circle.go",
			Old:     `if w.steps++; w.steps > fewSteps {`,
			New:     `if w.steps++; w.steps < 0 {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestInThemselves",
		}, {
			ID: "vm/compilestops", Defence: "a run that has to end does not wait until its program is ready",
			File:    "sandtrap/internal/engine/vm/compile/methods.go",
			Old:     `c.loader.meter.Unwind()`,
			New:     ``,
			Package: "./sandtrap", Test: "TestLoadStops",
		}, {
			ID: "vm/wrappers", Defence: "a program with many methods of embedded fields is refused",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     `if c.wrapped <= maxWrappers {`,
			New:     `if c != nil {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestHostileSources",
		}, {
			ID: "vm/joins", Defence: "so is one with many cases or jumps in a function",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     `m.cases+m.jumps*m.branches > maxJoins`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestHostileSources",
		}, {
			ID: "vm/captures", Defence: "so is one with many names in nested literals",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     `m.captures > maxCaptures`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestHostileSources",
		}, {
			ID: "vm/edges", Defence: "functions of many variables and branches are built without looking for their values",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     ` || edges > maxEdges`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestManyVariables",
		}, {
			ID: "vm/withdrawn", Defence: "a goroutine of the host that waits for the script gets away when the run has to end",
			File:    "sandtrap/internal/engine/vm/exec/hostcallin.go",
			Old:     `if v.taken.CompareAndSwap(false, true) {`,
			New:     `if v.m == nil {`,
			Package: "./sandtrap/sandtraptest", Test: "TestHostWaitsForItself",
		}, {
			ID: "vm/visits", Defence: "a function of the script that a goroutine of the host calls waits until nothing else of the run is at work",
			File:    "sandtrap/internal/engine/vm/exec/hostcallin.go",
			Old:     `return !m.over.Load() && !m.Foreign()`,
			New:     `return !m.over.Load()`,
			Package: "./sandtrap/sandtraptest", Test: "TestVisitors$",
			Crash: "the run that this function belongs to is over",
		}, {
			ID: "vm/inside", Defence: "a function of the script is called without a look at the goroutine by nothing but members that call it inside of their own call",
			File:    "sandtrap/internal/engine/vm/compile/gates.go",
			Old:     `isBasic(sig.Params(), true) && `,
			New:     ``,
			Package: "./sandtrap/internal/engine/vm", Test: "TestCalledInside",
		}, {
			ID: "vm/told", Defence: "the run pays for a size that a method of a script tells the library",
			File:    "sandtrap/internal/engine/vm/wrap/wrap.go",
			Old:     `m.Charge(max(0, min(out[0].Int(), maxTold)))`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/memory", Test: "TestToldSizes",
			Crash: "runtime: out of memory",
		}, {
			ID: "vm/methods", Defence: "an assertion finds the methods of the host's values that the policy shows",
			File:    "sandtrap/internal/engine/vm/ops/ifaces.go",
			Old:     `return printer.HostShows(m, v, m.P.MethodIDs[id].Fn)`,
			New:     `return reflect.ValueOf(v).MethodByName(m.P.MethodIDs[id].Fn.Name()).IsValid() || printer.HostShows(m, v, m.P.MethodIDs[id].Fn)`,
			Package: "./sandtrap/sandtraptest", Test: "TestRoutes|TestOwnInterfaceOverHost",
		}, {
			ID: "vm/tasks", Defence: "a run has so many goroutines at most",
			File:    "sandtrap/internal/engine/vm/exec/sched.go",
			Old:     `return min(n, maxTasks)`,
			New:     `return maxTasks`,
			Package: "./sandtrap", Test: "TestVMTaskLimit",
		}, {
			ID: "vm/ahead", Defence: "what a call of the host has charged is held until it has ended: nobody can tell that it is gone",
			File:    "sandtrap/internal/engine/vm/heap/live.go",
			Old:     `l.lower(l.Heap.Loose() + ahead)`,
			New:     `l.lower(l.Heap.Loose())`,
			Package: "./sandtrap/sandtraptest/resident", Test: "TestAlone/texts_joined",
		}, {
			ID: "vm/ahead-outer", Defence: "and while it calls the script",
			File:    "sandtrap/internal/engine/vm/heap/ahead.go",
			Old:     `l.Ahead.outer += paid`,
			New:     `l.Ahead.outer += 0`,
			Package: "./sandtrap/internal/engine/vm/heap", Test: "TestAhead",
		}, {
			ID: "vm/deep", Defence: "memory of which no stack tells whose it is counts for each run that is near its limit",
			File:    "sandtrap/internal/engine/census.go",
			Old:     `+ s.lost + s.deep`,
			New:     `+ s.lost`,
			Package: "./sandtrap/internal/engine", Test: "TestDeep",
		}, {
			ID: "vm/template-stack", Defence: "the stack of Go that templates in each other take counts to the end of the run",
			File:    "sandtrap/internal/engine/vm/templates/exec.go",
			Old:     `e.m.Live.Stacks += tmplLevel`,
			New:     `e.m.Live.Stacks += 0`,
			Package: "./sandtrap/sandtraptest/resident", Test: "TestAlone/text_template,_in_itself",
		}, {
			ID: "vm/collected", Defence: "before a run is stopped for memory a collection that began since has ended",
			File:    "sandtrap/internal/engine/collect.go",
			Old:     `if c.ended > before {`,
			New:     `if c.ended >= 0 {`,
			Package: "./sandtrap/internal/engine", Test: "TestCollectSince",
		}, {
			ID: "watch/heap", Defence: "where the heap has grown the profile of it tells what runs hold",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `if heap < w.quiet+watchFrom {`,
			New:     `if heap < w.quiet+unknown {`,
			Package: "./sandtrap/sandtraptest/resident", Test: "TestUnpriced",
		}, {
			ID: "watch/rests", Defence: "and its rests are over when the heap has grown much, however busy the machine is",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `heap < w.seen+max(2*one, w.seen)`,
			New:     `heap < w.seen+unknown`,
			Package: "./sandtrap/internal/engine", Test: "TestRestEnds",
		}, {
			ID: "watch/alone", Defence: "a run that holds more than it may is stopped, whatever others leave",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `most(limit) - lent; n > by {`,
			New:     `most(limit) - lent; n > unknown {`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneOver",
		}, {
			ID: "gob/message", Defence: "a message of gob is paid before it is read",
			File:    "internal/gob/gob.go",
			Old:     `d.pay.Charge(2 * int64(k))`,
			New:     `d.pay.Charge(0)`,
			Package: "./sandtrap/sandtraptest", Test: "TestGobStreams",
		}, {
			ID: "gob/deep", Defence: "lists in lists of gob end",
			File:    "sandtrap/internal/engine/vm/gob/skip.go",
			Old:     `d.m.Deeper()`,
			New:     `d.m.Tick()`,
			Package: "./sandtrap/sandtraptest", Test: "TestGobStreams",
		}, {
			ID: "watch/shared", Defence: "no run is stopped for what another one in its lane holds",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `lane.runs != 1 || lane.fresh || limit == 0`,
			New:     `lane.fresh || limit == 0`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneShared",
		}, {
			ID: "watch/kept", Defence: "nor for what the host has kept of one that has ended",
			File:    "sandtrap/internal/engine/lanes.go",
			Old:     `l[at].old, l[at].fresh = unknown, false`,
			New:     `l[at].old, l[at].fresh = 0, false`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneKept",
		}, {
			ID: "watch/later", Defence: "nor for what one held that has ended since that was counted",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `lane.runs != 1 || lane.fresh || limit == 0`,
			New:     `lane.runs != 1 || limit == 0`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneLater",
		}, {
			ID: "watch/survivors", Defence: "nor for garbage that it makes while a collection goes on",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `held, ok := w.stacks.survivors()`,
			New:     `held, ok := w.stacks.take()`,
			Package: "./sandtrap/internal/engine", Test: "TestSettle",
		},
	}
}
