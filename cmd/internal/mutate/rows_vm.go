package mutate

// vmRows are the default engine's: what it lets a script have of the host's values, and what it
// counts.
func vmRows() []Mutation { return append(writeRows(), engineRows()...) }

const hostWrite = "./sandtrap/sandtraptest/hostwrite"

func writeRows() []Mutation {
	return []Mutation{
		{
			ID: "write/question", Defence: "writes to memory of the host ask whether the run may",
			File:    "sandtrap/internal/engine/vm/exec/hostwrite.go",
			Old:     `if !m.Host.MayWrite(v.UnsafeAddr(), v.Type(), whole) {`,
			New:     `if m == nil && !m.Host.MayWrite(v.UnsafeAddr(), v.Type(), whole) {`,
			Package: hostWrite, Test: "TestHostWrite|TestForgedOpaque",
		}, {
			ID: "write/shared", Defence: "no run writes to memory that the process shares",
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
			Package: "./sandtrap/sandtraptest/sessions", Test: "TestLoadedKept",
		}, {
			ID: "write/told", Defence: "errors of templates show no memory of the host",
			File: "sandtrap/internal/engine/vm/templates/print.go",
			Old:  `return printer.Show(m, v.Boxed(m))`,
			New: `_ = printer.Show
	return shown(m, v)`,
			Package: "./sandtrap/sandtraptest", Test: "TestTemplateErrors",
		}, {
			ID: "write/returned", Defence: "no run writes to shared memory that functions return",
			File:    "builtins/internal/shim/rights.go",
			Old:     `if e.Rules == nil || e.Rules.Shared(at) || e.Rules.HoldsError(at, rt) {`,
			New:     `if e.Rules == nil || e.Rules.HoldsError(at, rt) {`,
			Package: "./builtins", Test: "TestReturned",
		}, {
			ID: "write/make", Defence: "a script cannot make a value of an opaque type",
			File:    "sandtrap/internal/engine/vm/exec/hostwrite.go",
			Old:     `if t.Kind == ir.KindHost && !m.Host.MayMake(t.Mem) {`,
			New:     `if m == nil && !m.Host.MayMake(t.Mem) {`,
			Package: hostWrite, Test: "TestForgedOpaque",
		}, {
			ID: "write/borrowed", Defence: "the bytes that a method of a script is called with are a copy",
			File:    "sandtrap/internal/engine/vm/exec/chunk.go",
			Old:     `if v != nil {`,
			New:     `if v == nil {`,
			Package: hostWrite, Test: "TestBorrowed",
		}, {
			ID: "write/filled", Defence: "the bytes that a method of a script fills are a copy",
			File:    "sandtrap/internal/engine/vm/wrap/borrowed.go",
			Old:     `own = newBytes(w.m, len(p))`,
			New:     `own = p`,
			Package: hostWrite, Test: "TestBorrowed",
		}, {
			ID: "write/borrowed-yaegi", Defence: "with engine yaegi too, the bytes that a method of a script is called with are a copy",
			File:    "sandtrap/internal/engine/yaegi/wrap.go",
			Old:     `bytes.Clone(p)`,
			New:     `bytes.TrimSuffix(p, nil)`,
			Package: hostWrite, Test: "TestBorrowedYaegi",
		}, {
			ID: "write/filled-yaegi", Defence: "with engine yaegi too, the bytes that a method of a script fills are a copy",
			File:    "sandtrap/internal/engine/yaegi/wrap.go",
			Old:     `own := make([]byte, min(len(p), engine.MaxRead))`,
			New:     `own := p[:min(len(p), engine.MaxRead)]`,
			Package: hostWrite, Test: "TestBorrowedYaegi",
		}, {
			ID: "stop/elsewhere-yaegi", Defence: "with engine yaegi too, a stop that another goroutine came upon first ends the script at its next look",
			File:    "sandtrap/internal/engine/yaegi/hostgates.go",
			Old:     `if s.ending {`,
			New:     `if s.meter.Stopped() != nil {`,
			Package: "./sandtrap/internal/engine/yaegi", Test: "TestStoppedElsewhere",
		}, {
			ID: "write/state", Defence: "a fmt.State does nothing after its call",
			File:    "sandtrap/internal/engine/vm/printer/borrowed.go",
			Old:     `{ b.State = endedState{} }`,
			New:     `{}`,
			Package: hostWrite, Test: "TestBorrowed",
		}, {
			ID: "write/elements", Defence: "no run writes to elements of memory that the process shares",
			File:    "sandtrap/internal/engine/vm/exec/hostmem.go",
			Old:     `fixed := m.fixed(v)`,
			New:     `fixed := false`,
			Package: hostWrite, Test: "TestHostWrite",
		}, {
			ID: "write/reflected", Defence: "no run writes to elements of shared memory by reflection",
			File:    "sandtrap/internal/engine/vm/mirror/reflect_val.go",
			Old:     "if v.T.Kind == ir.KindHost {\n\t\t\tv.mustReplace(m, to)",
			New:     "if v.T == nil {\n\t\t\tv.mustReplace(m, to)",
			Package: hostWrite, Test: "TestHostWrite|TestForgedOpaque",
		}, {
			ID: "write/errors-as", Defence: "no run writes to shared memory by errors.As",
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
			ID: "vm/circle", Defence: "a value that contains itself does not reach the host, whose stack it would overflow",
			File:    "sandtrap/internal/engine/vm/exec/circle.go",
			Old:     `if m != nil && m.leads(v) {`,
			New:     `if m == nil && m.leads(v) {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestInThemselves",
		}, {
			ID: "vm/circle-stored", Defence: "a script cannot make memory of the host contain itself",
			File:    "sandtrap/internal/engine/vm/exec/circle.go",
			Old:     `if at < w.end && w.start < at+size {`,
			New:     `if at < w.end && w.start > at+size {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestInThemselves",
		}, {
			ID: "vm/circle-shared", Defence: "the search for values that contain themselves visits shared parts once",
			File:    "sandtrap/internal/engine/vm/exec/circle.go",
			Old:     `if w.steps++; w.steps > fewSteps {`,
			New:     `if w.steps++; w.steps < 0 {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestInThemselves",
		}, {
			ID: "vm/compilestops", Defence: "a run that has to end does not wait for the compiler",
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
			ID: "vm/joins", Defence: "a function with many cases or jumps is refused",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     `m.cases+m.jumps*m.branches > maxJoins`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestHostileSources",
		}, {
			ID: "vm/captures", Defence: "a function with many names in nested literals is refused",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     `m.captures > maxCaptures`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestHostileSources",
		}, {
			ID: "vm/edges", Defence: "functions with many variables and branches are compiled without tracking values",
			File:    "sandtrap/internal/engine/vm/compile/large.go",
			Old:     ` || edges > maxEdges`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestManyVariables",
		}, {
			ID: "vm/withdrawn", Defence: "a goroutine of the host that waits for the script is released when the run has to end",
			File:    "sandtrap/internal/engine/vm/exec/hostcallin.go",
			Old:     `if v.taken.CompareAndSwap(false, true) {`,
			New:     `if v.m == nil {`,
			Package: "./sandtrap/sandtraptest", Test: "TestHostWaitsForItself",
		}, {
			ID: "vm/visits", Defence: "a goroutine of the host that calls a function of the script waits until no other code of the run executes",
			File:    "sandtrap/internal/engine/vm/exec/hostcallin.go",
			Old:     `return !m.over.Load() && !m.Foreign()`,
			New:     `return !m.over.Load()`,
			Package: "./sandtrap/sandtraptest", Test: "TestVisitors$",
			Crash: "the run that this function belongs to is over",
		}, {
			ID: "vm/inside", Defence: "only members that call a function of the script during their own call skip the check of the goroutine",
			File:    "sandtrap/internal/engine/vm/compile/gates.go",
			Old:     `isBasic(sig.Params(), true) && `,
			New:     ``,
			Package: "./sandtrap/internal/engine/vm", Test: "TestCalledInside",
		}, {
			ID: "vm/told", Defence: "a size that a script's method returns to the library is charged",
			File:    "sandtrap/internal/engine/vm/wrap/wrap.go",
			Old:     `m.Charge(max(0, min(out[0].Int(), maxTold)))`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/memory", Test: "TestToldSizes",
			Crash: "runtime: out of memory",
		}, {
			ID: "vm/methods", Defence: "an assertion finds those methods of the host's values that the policy shows",
			File:    "sandtrap/internal/engine/vm/ops/ifaces.go",
			Old:     `return printer.HostShows(m, v, m.P.MethodIDs[id].Fn)`,
			New:     `return reflect.ValueOf(v).MethodByName(m.P.MethodIDs[id].Fn.Name()).IsValid() || printer.HostShows(m, v, m.P.MethodIDs[id].Fn)`,
			Package: "./sandtrap/sandtraptest", Test: "TestRoutes|TestOwnInterfaceOverHost",
		}, {
			ID: "vm/tasks", Defence: "the goroutines of a run are bounded",
			File:    "sandtrap/internal/engine/vm/exec/sched.go",
			Old:     `return min(n, maxTasks)`,
			New:     `return maxTasks`,
			Package: "./sandtrap", Test: "TestVMTaskLimit",
		}, {
			ID: "vm/ahead", Defence: "memory that a call of the host has charged counts until the call has ended",
			File:    "sandtrap/internal/engine/vm/heap/live.go",
			Old:     `l.lower(l.Heap.Loose() + ahead)`,
			New:     `l.lower(l.Heap.Loose())`,
			Package: "./sandtrap/sandtraptest/resident", Test: "TestAlone/texts_joined",
		}, {
			ID: "vm/ahead-outer", Defence: "memory that a call of the host has charged counts also while the host calls the script",
			File:    "sandtrap/internal/engine/vm/heap/ahead.go",
			Old:     `l.Ahead.outer += paid`,
			New:     `l.Ahead.outer += 0`,
			Package: "./sandtrap/internal/engine/vm/heap", Test: "TestAhead",
		}, {
			ID: "vm/lane", Defence: "memory beneath functions of the library is known to be of the run that calls them",
			File:    "sandtrap/internal/engine/vm/exec/machine.go",
			Old:     `m.lane.In((*tasksLoop)(m))`,
			New:     `(*tasksLoop)(m).Do()`,
			Package: "./sandtrap/sandtraptest/memory", Test: "TestGarbageBesideTemplates/0",
		}, {
			ID: "vm/lane-templates", Defence: "memory beneath templates that call each other is known to be of the run that executes them",
			File:    "sandtrap/internal/engine/vm/templates/loop.go",
			Old:     `e.m.InLane(func() { e.over(n, v, once) })`,
			New:     `e.over(n, v, once)`,
			Package: "./sandtrap/sandtraptest/memory", Test: "TestGarbageBesideTemplates/4",
		}, {
			ID: "vm/deep", Defence: "memory whose owner no stack shows counts for each run that is near its limit",
			File:    "sandtrap/internal/engine/census.go",
			Old:     `+ s.lost + s.deep`,
			New:     `+ s.lost`,
			Package: "./sandtrap/internal/engine", Test: "TestDeep",
		}, {
			ID: "vm/template-stack", Defence: "the Go stack of nested templates counts to the end of the run",
			File:    "sandtrap/internal/engine/vm/templates/exec.go",
			Old:     `e.m.Live.Stacks += tmplLevel`,
			New:     `e.m.Live.Stacks += 0`,
			Package: "./sandtrap/sandtraptest/resident", Test: "TestAlone/text_template,_in_itself",
		}, {
			ID: "vm/collected", Defence: "a run is stopped for memory only after a collection that began after the request",
			File:    "sandtrap/internal/engine/collect.go",
			Old:     `if c.ended > before {`,
			New:     `if c.ended >= 0 {`,
			Package: "./sandtrap/internal/engine", Test: "TestCollectSince",
		}, {
			ID: "watch/heap", Defence: "when the heap has grown its profile shows what runs hold",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `if heap < w.quiet+watchFrom {`,
			New:     `if heap < w.quiet+unknown {`,
			Package: "./sandtrap/sandtraptest/resident", Test: "TestUnpriced",
		}, {
			ID: "watch/rests", Defence: "the pause between two looks at the heap ends when the heap has grown much, on a busy machine too",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `heap < w.seen+max(2*one, w.seen)`,
			New:     `heap < w.seen+unknown`,
			Package: "./sandtrap/internal/engine", Test: "TestRestEnds",
		}, {
			ID: "watch/alone", Defence: "a run that holds more than it may is stopped, whatever others leave of their limits",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `most(limit) - lent; n > by {`,
			New:     `most(limit) - lent; n > unknown {`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneOver",
		}, {
			ID: "gob/message", Defence: "a message of gob is charged before it is read",
			File:    "internal/gob/gob.go",
			Old:     `d.pay.Charge(2 * int64(k))`,
			New:     `d.pay.Charge(0)`,
			Package: "./sandtrap/sandtraptest", Test: "TestGobStreams",
		}, {
			ID: "gob/deep", Defence: "the nesting of lists of gob is bounded",
			File:    "sandtrap/internal/engine/vm/gob/skip.go",
			Old:     `d.m.Deeper()`,
			New:     `d.m.Tick()`,
			Package: "./sandtrap/sandtraptest", Test: "TestGobStreams",
		}, {
			ID: "watch/shared", Defence: "a run is not stopped for memory of another run with the same number",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `lane.runs != 1 || limit == 0`,
			New:     `lane.runs == 0 || limit == 0`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneShared",
		}, {
			ID: "watch/kept", Defence: "a run is not stopped for memory that the host keeps of a run that has ended",
			File:    "sandtrap/internal/engine/lanes.go",
			Old:     `l[at].old, l[at].fresh = unknown, false`,
			New:     `l[at].old, l[at].fresh = 0, false`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneKept",
		}, {
			ID: "watch/later", Defence: "a run is not stopped for memory that a run held which has ended since the count",
			File:    "sandtrap/internal/engine/lanes.go",
			Old:     `if l[lane].fresh {`,
			New:     `if l[lane].runs < 0 {`,
			Package: "./sandtrap/internal/engine", Test: "TestAloneLater",
		}, {
			ID: "watch/loans", Defence: "a run is not stopped for garbage that it may hold until the next collection",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `held(r.lane, now) - may - lent`,
			New:     `held(r.lane, now) - may - min(lent, 0)`,
			Package: "./sandtrap/internal/engine", Test: "TestMostInnocent",
		}, {
			ID: "watch/host", Defence: "what the host keeps of runs that have ended is not that of others",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `return w.held(now) - allowed`,
			New:     `return now.total - allowed`,
			Package: "./sandtrap/internal/engine", Test: "TestMostInnocent",
		}, {
			ID: "watch/waits", Defence: "what a run holds does not count as kept by the host of a run before it",
			File:    "sandtrap/internal/engine/lanes.go",
			Old:     `if !l[at].fresh && l[at].old < unknown {`,
			New:     `if l[at].runs == 0 {`,
			Package: "./sandtrap/internal/engine", Test: "TestLaneWaits",
		}, {
			ID: "watch/survivors", Defence: "a run is not stopped for garbage that it makes during a collection",
			File:    "sandtrap/internal/engine/truth.go",
			Old:     `held, ok := w.stacks.survivors()`,
			New:     `held, ok := w.stacks.take()`,
			Package: "./sandtrap/internal/engine", Test: "TestSettle",
		},
	}
}
