package mutate

// isolationRows are what holds a worker, and what its host believes.
func isolationRows() []Mutation {
	rows := append(append(wireRows(), carryRows()...), confineRows()...)
	rows = append(append(rows, readBackRows()...), hostRows()...)
	return append(rows, lieRows()...)
}

func wireRows() []Mutation {
	return []Mutation{
		{
			ID: "nested/depth", Defence: "the depth of nested runs is bounded, in process too",
			File:    "sandtrap/queue.go",
			Old:     `if max(said, depth) > maxNested {`,
			New:     `if max(said, depth) < 0 {`,
			Package: "./sandtrap/sandtraptest/atonce", Test: "TestNestedHere",
		}, {
			ID: "nested/unsaid", Defence: "the depth of nested runs whose context does not show it is bounded too",
			File:    "sandtrap/queue.go",
			Old:     `if depth > said {`,
			New:     `if depth < said {`,
			Package: "./sandtrap/sandtraptest/atonce", Test: "TestNestedHere",
		}, {
			ID: "isolation/start-again", Defence: "a worker that is killed while it starts is replaced",
			File:    "sandtrap/remote.go",
			Old:     `for range startTries {`,
			New:     `for range startTries / startTries {`,
			Package: "./sandtrap/sandtraptest", Test: "TestKilledAtStart",
		}, {
			ID: "isolation/host-dies", Defence: "the kernel ends workers with their host",
			File:    "isolate/namespaces_linux.go",
			Old:     `Pdeathsig: syscall.SIGKILL, Setsid`,
			New:     `Setsid`,
			Package: "./isolate", Test: "TestHostDies",
		}, {
			ID: "isolation/host-dies-spawned", Defence: "the kernel ends workers that a spawner has started with their host",
			File:    "isolate/confine/spawner_linux.go",
			Old:     `Pdeathsig: syscall.SIGKILL, Setsid`,
			New:     `Setsid`,
			Package: "./isolate", Test: "TestHostDies",
		}, {
			ID: "wire/frame", Defence: "the bytes of a frame are bounded",
			File:    "isolate/wire/frame.go",
			Old:     `if n == 0 || n > MaxFrame {`,
			New:     `if n == 0 {`,
			Package: "./isolate/wire", Test: "TestNoMessages",
		}, {
			ID: "wire/announced", Defence: "memory grows with the received bytes, not with the length that a header announces",
			File:    "isolate/wire/frame.go",
			Old:     `part := min(n-len(buf), step)`,
			New:     `part := n - len(buf)`,
			Package: "./isolate/wire", Test: "TestAnnounced",
		}, {
			ID: "wire/held", Defence: "the memory of a decoded message is bounded, however small its parts are",
			File:    "isolate/wire/weigh.go",
			Old:     `return s.room >= 0`,
			New:     `return true`,
			Package: "./isolate/wire", Test: "TestHeld",
		}, {
			ID: "wire/name", Defence: "the length of a name in a message is bounded",
			File:    "isolate/wire/frame.go",
			Old:     `if len(m.Name) > maxString {`,
			New:     `if len(m.Name) > MaxFrame {`,
			Package: "./isolate/wire", Test: "TestLongName",
		}, {
			ID: "wire/tags", Defence: "a message with tags is refused",
			File:    "isolate/wire/message.go",
			Old:     `cbor.TagsForbidden`,
			New:     `cbor.TagsAllowed`,
			Package: "./isolate/wire", Test: "TestNoMessages",
		}, {
			ID: "wire/keys", Defence: "a message with a repeated key is refused",
			File:    "isolate/wire/message.go",
			Old:     `cbor.DupMapKeyEnforcedAPF`,
			New:     `cbor.DupMapKeyQuiet`,
			Package: "./isolate/wire", Test: "TestNoMessages",
		},
	}
}

func confineRows() []Mutation {
	return []Mutation{
		{
			ID: "confine/default", Defence: "a system call that is not in the table ends the process",
			File:    "isolate/confine/seccomp_linux.go",
			Old:     `list[i] = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}`,
			New:     `list[i] = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}`,
			Package: "./isolate/confine", Test: "TestFilter",
		}, {
			ID: "confine/x32", Defence: "a system call of the x32 interface ends the process",
			File:    "isolate/confine/seccomp_linux.go",
			Old:     `case ret.Val == uint32(otherCalls), ret.Val == enosys:`,
			New:     `case ret.Val == uint32(otherCalls):`,
			Package: "./isolate/confine", Test: "TestFilter",
		}, {
			ID: "confine/read", Defence: "a worker reads from its socket and from no other descriptor",
			File:    "isolate/confine/syscalls.go",
			Old:     `{"read", []arg{{0, is(3)}}, "frames of the host"},`,
			New:     `{"read", nil, "frames of the host"},`,
			Package: "./isolate/confine", Test: "TestFilter",
		}, {
			ID: "confine/code", Defence: "no mapped memory is executable",
			File:    "isolate/confine/syscalls.go",
			Old:     `{"mmap", []arg{{2, is(3)}, {3, is(0x22)}}, "memory: read and write, never execute"},`,
			New:     `{"mmap", []arg{{3, is(0x22)}}, "memory: read and write, never execute"},`,
			Package: "./isolate/confine", Test: "TestFilter|TestNoExec",
		}, {
			ID: "confine/signal", Defence: "a worker can signal only itself",
			File:    "isolate/confine/syscalls.go",
			Old:     `{"tgkill", []arg{{0, value{of: ownPid}}, {2, is(23)}}`,
			New:     `{"tgkill", []arg{{2, is(23)}}`,
			Package: "./isolate/confine", Test: "TestTable",
		}, {
			ID: "confine/threads", Defence: "a worker is ready only if all its threads have the filter",
			File:    "isolate/confine/seccomp_linux.go",
			Old:     `flags := uintptr(unix.SECCOMP_FILTER_FLAG_TSYNC)`,
			New:     `flags := uintptr(0)`,
			Package: "./isolate", Test: "TestPosture",
		}, {
			ID: "confine/open-flags", Defence: "files in handed directories are opened for reading only, and links are not followed",
			File:    "isolate/confine/dirs_linux.go",
			Old:     `{"openat", []arg{{2, is(uint64(unix.O_NOFOLLOW | unix.O_CLOEXEC | GivenFlags))}}, "a file, to read"},`,
			New:     `{"openat", nil, "a file, to read"},`,
			Package: "./isolate/confine", Test: "TestFilterOfDirectories",
		}, {
			ID: "confine/capabilities", Defence: "a worker has no capabilities",
			File:    "isolate/confine/privileges_linux.go",
			Old:     "	header := unix.CapUserHeader{",
			New:     "	if unix.CAP_LAST_CAP > 0 {\n\t\treturn nil\n\t}\n\theader := unix.CapUserHeader{",
			Package: "./isolate", Test: "TestJobs|TestPosture",
		}, {
			ID: "confine/core", Defence: "a worker leaves no core dump",
			File:    "isolate/confine/rlimit_linux.go",
			Old:     `{"core", unix.RLIMIT_CORE, fixed(0),`,
			New:     `{"core", unix.RLIMIT_CORE, fixed(1 << 20),`,
			Package: "./isolate", Test: "TestJobs|TestPosture",
		}, {
			ID: "confine/fsize", Defence: "a worker writes no file",
			File:    "isolate/confine/rlimit_linux.go",
			Old:     `{"fsize", unix.RLIMIT_FSIZE, fixed(0),`,
			New:     `{"fsize", unix.RLIMIT_FSIZE, fixed(1 << 20),`,
			Package: "./isolate", Test: "TestPosture",
		}, {
			ID: "confine/root", Defence: "the root of a worker is read-only",
			File:    "isolate/confine/root_linux.go",
			Old:     `unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|flags`,
			New:     `unix.MS_REMOUNT|unix.MS_BIND|flags`,
			Package: "./isolate", Test: "TestPosture|TestJobs",
		}, {
			ID: "confine/undumpable", Defence: "no other process can attach to a worker",
			File:    "isolate/confine/layers_linux.go",
			Old:     `return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)`,
			New:     `return nil`,
			Package: "./isolate", Test: "TestEachLayer/probe_not_dumpable",
		}, {
			ID: "confine/write-exec", Defence: "memory that a worker can write cannot become executable",
			File:    "isolate/confine/layers_linux.go",
			Old:     `return unix.Prctl(unix.PR_SET_MDWE, unix.PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)`,
			New:     `return nil`,
			Package: "./isolate", Test: "TestEachLayer/probe_no_write_exec",
		}, {
			ID: "confine/landlock", Defence: "a worker can open no path, even without the filter",
			File:    "isolate/confine/landlock_linux.go",
			Old:     `if err := ll.AllThreadsLandlockRestrictSelf(rules, 0); err != nil {`,
			New:     `if err := error(nil); err != nil {`,
			Package: "./isolate", Test: "TestEachLayer/probe_landlock",
		}, {
			ID: "confine/unknown", Defence: "a worker that does not know a layer of its policy is not used",
			File:    "isolate/confine/layers.go",
			Old:     `if !slices.Contains(Names(), name) {`,
			New:     `if name == "" {`,
			Package: "./isolate/confine", Test: "TestUnknownLayer",
		},
	}
}

func readBackRows() []Mutation {
	return []Mutation{
		{
			ID: "readback/believed", Defence: "a layer that the kernel shows is read back from the kernel, not taken from the worker's report",
			File:    "isolate/start.go",
			Old:     `if check := checks[row.name]; check != nil && status.State == posture.Applied {`,
			New:     `if check := checks[row.name]; check != nil && status.State == posture.Missing {`,
			Package: "./isolate", Test: "TestLiar",
		}, {
			ID: "readback/root", Defence: "the kernel shows the empty root",
			File:    "isolate/readback_linux.go",
			Old:     `return fmt.Errorf("it sees %d mounts: %s", len(lines), line)`,
			New:     `continue`,
			Package: "./isolate", Test: "TestLiar",
		}, {
			ID: "readback/capabilities", Defence: "the kernel shows no capabilities for each thread",
			File:    "isolate/readback_linux.go",
			Old:     `map[string]string{"CapInh": none, "CapPrm": none, "CapEff": none, "CapAmb": none}`,
			New:     `map[string]string{"CapInh": none}`,
			Package: "./isolate", Test: "TestLiar",
		}, {
			ID: "readback/namespace", Defence: "each namespace differs from the host's",
			File:    "isolate/readback_linux.go",
			Old:     `if bytes.Equal(own[:n], its[:m]) {`,
			New:     `if bytes.Equal(own[:n], nil) {`,
			Package: "./isolate", Test: "TestLiar",
		}, {
			ID: "readback/core", Defence: "a process that may leave a core dump is not used",
			File:    "isolate/readback_linux.go",
			Old:     `return errors.New("it may leave a core")`,
			New:     `return nil`,
			Package: "./isolate", Test: "TestLiar",
		}, {
			ID: "readback/missing", Defence: "a worker that lacks a layer is not used",
			File:    "isolate/start.go",
			Old:     `if !spec.AllowDegraded || len(rest) == len(rows) {`,
			New:     `if len(rest) == len(rows) {`,
			Package: "./isolate", Test: "TestFailClosed",
		}, {
			ID: "readback/needs", Defence: "a layer is not tried without the layer that it needs",
			File:    "isolate/start.go",
			Old:     `if row.needs != "" && !contains(lack, row.name) && !slices.ContainsFunc(rows, has) {`,
			New:     `if row.needs == row.name && !slices.ContainsFunc(rows, has) {`,
			Package: "./isolate", Test: "TestNeeds",
		},
	}
}

func hostRows() []Mutation {
	return []Mutation{
		{
			ID: "host/calls", Defence: "the concurrent calls of a worker are bounded",
			File:    "isolate/receive.go",
			Old:     `j.calls.Add(1) > wire.MaxCalls`,
			New:     `j.calls.Add(1) < 0`,
			Package: "./isolate", Test: "TestFlood|TestFull",
		}, {
			ID: "host/call-bytes", Defence: "the bytes of the concurrent calls of a worker are bounded",
			File:    "isolate/receive.go",
			Old:     `j.bytes.Add(size) > w.room`,
			New:     `j.bytes.Add(size) < 0`,
			Package: "./isolate", Test: "TestFull",
		}, {
			ID: "host/answers", Defence: "the bytes of answers to a worker are bounded",
			File:    "isolate/ask.go",
			Old:     `if c.job.bytes.Add(c.held) > c.worker.room {`,
			New:     `if c.job.bytes.Add(c.held) < 0 {`,
			Package: "./isolate", Test: "TestAnswers",
		}, {
			ID: "host/outcome", Defence: "a message of a worker without a job is dropped, and is the outcome of no job",
			File:    "isolate/receive.go",
			Old:     `j != nil && m.ID == j.id && j.hears()`,
			New:     `(j == nil || j.hears())`,
			Package: "./isolate", Test: "TestOutcomes",
		}, {
			ID: "host/chatter", Defence: "a worker that keeps sending messages without a job is ended",
			File:    "isolate/receive.go",
			Old:     `return messages > maxIdle || bytes > maxIdleBytes`,
			New:     `return messages < 0 || bytes < 0`,
			Package: "./isolate", Test: "TestOutcomes",
		}, {
			ID: "host/tenant", Defence: "a worker that has served a tenant is given to no other",
			File:    "isolate/pool_members.go",
			Old:     `if m.state == s && m.tenant == tenant {`,
			New:     `if m.state == s {`,
			Package: "./isolate", Test: "TestPoolProperties",
		}, {
			ID: "host/places", Defence: "the workers of a pool are bounded",
			File:    "isolate/pool_members.go",
			Old:     `coming < wanted && len(p.members) < p.limits.Max`,
			New:     `coming < wanted`,
			Package: "./isolate", Test: "TestPoolProperties|TestPoolQueue",
		}, {
			ID: "host/failed", Defence: "a worker that has failed is not used again",
			File:    "isolate/pool_states.go",
			Old:     `{busy, failing, dead, `,
			New:     `{busy, failing, tainted, `,
			Package: "./isolate", Test: "TestPoolTenants",
		}, {
			ID: "host/unnamed", Defence: "a tenant without a name never has the name of another",
			File:    "sandtrap/pool.go",
			Old:     `return "named " + name`,
			New:     `return name`,
			Package: "./sandtrap", Test: "TestTenantNames",
		}, {
			ID: "host/stuck", Defence: "a tenant whose worker is never free gets another one",
			File:    "isolate/pool_queue.go",
			Old:     `!p.has(w.tenant) || p.isStuck(w) {`,
			New:     `!p.has(w.tenant) || w == nil && p.isStuck(w) {`,
			Package: "./isolate", Test: "TestPoolSecondRun",
		}, {
			ID: "host/closed", Defence: "functions of a run do not keep a worker of a closed sandbox",
			File: "sandtrap/leasedworker.go",
			Old: `	if w.kept.closed {
		w.kept.mu.Unlock()`,
			New: `	if w.kept.closed && k == nil {
		w.kept.mu.Unlock()`,
			Package: "./sandtrap/sandtraptest", Test: "TestClosedDuringRun",
		}, {
			ID: "host/locks", Defence: "scripts do not see the methods of a mutex that a host's type embeds",
			File:    "builtins/named.go",
			Old:     `if shim.IsGoSync(base) && hasMethod(base, name) {`,
			New:     `if shim.IsGoSync(base) && rt == nil {`,
			Package: "./sandtrap", Test: "TestLocksOfHost",
		}, {
			ID: "host/lockers", Defence: "scripts cannot use such a mutex as a sync.Locker either",
			File:    "builtins/internal/shim/sync/sync.go",
			Old:     `if slices.ContainsFunc(append(shim.Embedded(rt, nil), rt), shim.IsGoSync) {`,
			New:     `if shim.IsGoSync(rt) && l == nil {`,
			Package: "./sandtrap", Test: "TestLocksOfHost",
		}, {
			ID: "host/evicts", Defence: "a run first looks for a worker of its own tenant or of none, and ends none of another tenant for that",
			File:    "sandtrap/queue.go",
			Old:     `w.leaseAt(ctx, limit, 0, wantReady)`,
			New:     `w.leaseAt(ctx, limit, 0, wantFree)`,
			Package: "./sandtrap", Test: "TestPoolStarts",
		}, {
			ID: "host/session", Defence: "a session whose sandbox was closed before it started keeps no worker",
			File:    "sandtrap/remote_session.go",
			Old:     `	if l.closed {`,
			New:     `	if l.closed && r == nil {`,
			Package: "./sandtrap/sandtraptest", Test: "TestClosedBeforeSession",
		}, {
			ID: "host/left", Defence: "the workers of a tenant end with its last sandbox",
			File:    "isolate/pool.go",
			Old:     `if m.state == tainted && m.tenant == tenant {`,
			New:     `if m.state == tainted && m.tenant == "" {`,
			Package: "./isolate", Test: "TestPoolTenants",
		},
	}
}

// lieRows are about workers that somebody has taken over.
func lieRows() []Mutation {
	return []Mutation{
		{
			ID: "lies/null", Defence: "a message with a null is refused",
			File:    "isolate/wire/message.go",
			Old:     `cbor.WithRejectedSimpleValue(null), cbor.WithRejectedSimpleValue(undefined)`,
			New:     `cbor.WithRejectedSimpleValue(undefined)`,
			Package: "./isolate/wire", Test: "TestNoNull",
		}, {
			ID: "lies/bounds", Defence: "each kind of frame has its own bound",
			File:    "isolate/wire/bounds.go",
			Old:     `return b.most(f)`,
			New:     `return MaxFrame`,
			Package: "./isolate/wire", Test: "TestFrameBounds",
		}, {
			ID: "lies/skip", Defence: "a frame that nothing waits for is not held",
			File:    "isolate/wire/frame.go",
			Old:     `; hold || err != nil {`,
			New:     `; hold || n > 0 || err != nil {`,
			Package: "./isolate/wire", Test: "TestSkipped",
		}, {
			ID: "lies/head", Defence: "a frame that begins like another kind has the bound of the kind that it is decoded as",
			File:    "isolate/wire/frame.go",
			Old:     `if c.receives != nil && n > tiny { //`,
			New:     `if c.receives != nil && n > MaxFrame { //`,
			Package: "./isolate/wire", Test: "TestHeadThatLies",
		}, {
			ID: "lies/idle", Defence: "the host holds nothing for a worker without a job",
			File:    "isolate/receive.go",
			Old:     `return wire.MaxFrame, false`,
			New:     `return wire.MaxFrame, true`,
			Package: "./sandtrap/worker", Test: "TestHostMemory",
		}, {
			ID: "lies/filter", Defence: "the filters of each thread are compared with those of the process that started the worker",
			File:    "isolate/readback_linux.go",
			Old:     `map[string]string{"Seccomp": "2", "Seccomp_filters": s.filters}`,
			New:     `map[string]string{"Seccomp": "2"}`,
			Package: "./isolate", Test: "TestNoFilterOfItsOwn|TestFiltersNotCounted",
		}, {
			ID: "lies/filters-uncounted", Defence: "where the kernel does not count filters layer seccomp is missing",
			File:    "isolate/readback_linux.go",
			Old:     `if s.filters == "" {`,
			New:     `if s == nil {`,
			Package: "./isolate", Test: "TestFiltersNotCounted",
		}, {
			ID: "lies/streams", Defence: "a panic in a handler of streams ends the worker only",
			File:    "isolate/receive.go",
			Old:     `defer func() { ok = recover() == nil }()`,
			New:     `defer func() { recover(); ok = true }()`,
			Package: "./isolate", Test: "TestStreamPanics",
		}, {
			ID: "lies/words", Defence: "a worker that writes to its standard error without end is ended",
			File:    "isolate/process_linux.go",
			Old:     `if l.said += len(p); l.said > maxSaid {`,
			New:     `if l.said += len(p); l.said < 0 {`,
			Package: "./isolate", Test: "TestWordsWithoutEnd",
		}, {
			ID: "lies/silent", Defence: "a worker without a job that has closed its socket, or has sent half a frame, is given no job",
			File:    "isolate/begun.go",
			Old:     `return !w.silent.Load() && !w.conn.Within()`,
			New:     `return true`,
			Package: "./isolate", Test: "TestIdle",
		}, {
			ID: "lies/unread", Defence: "a job that its worker has not read has not begun",
			File:    "isolate/begun.go",
			Old:     `return j.heard.Load() || w.conn.Last() != wire.Job`,
			New:     `return w.conn.Last() == wire.Job`,
			Package: "./isolate", Test: "TestIdle",
		}, {
			ID: "lies/read", Defence: "a job that its worker has read has begun, and is never done twice",
			File:    "isolate/begun.go",
			Old:     `!w.reset && !unread(w.socket) && !refused(w.socket)`,
			New:     `w.job.Load() == nil`,
			Package: "./isolate", Test: "TestBegun",
		}, {
			ID: "lies/asleep", Defence: "a worker that stands still is detected when it is given a job",
			File:    "isolate/begun.go",
			Old:     `return v.asleep >= looks`,
			New:     `return v.asleep < 0`,
			Package: "./isolate", Test: "TestIdle",
		}, {
			ID: "lies/unsent", Defence: "a worker that waits for data of its host is not taken for one that stands still",
			File: "isolate/begun.go",
			Old: `v.asleep = 0
	}
	v.timer`,
			New: `if v.takesNothing() {
			w.proc.kill()
		}
	}
	v.timer`,
			Package: "./isolate", Test: "TestNothingSent",
		}, {
			ID: "lies/deaf", Defence: "a worker that computes and does not read is detected",
			File:    "isolate/begun.go",
			Old:     `now.CPU-v.used > v.deaf`,
			New:     `now.CPU-v.used < 0`,
			Package: "./isolate", Test: "TestIdle",
		}, {
			ID: "host/told", Defence: "text that a host function prints after its run is not output of the next run",
			File:    "isolate/wire/serve.go",
			Old:     `return l.cancel != nil && l.id == id`,
			New:     `return l.cancel != nil`,
			Package: "./isolate/wire", Test: "TestTold",
		}, {
			ID: "host/past", Defence: "a call that its run has abandoned is not answered in the next run",
			File:    "isolate/begun.go",
			Old:     `return j != nil && id == j.id && j.hears()`,
			New:     `return j.hears()`,
			Package: "./isolate", Test: "TestPast",
		}, {
			ID: "worker/late", Defence: "a late call of a worker belongs to the run that made it",
			File:    "sandtrap/worker/policy.go",
			Old:     `	of := jobOf(ctx)`,
			New:     `	of := j.now.Load()`,
			Package: "./sandtrap/sandtraptest", Test: "TestLateCalls",
		}, {
			ID: "worker/latefiles", Defence: "late operations on files belong to the run that made them",
			File:    "sandtrap/worker/files.go",
			Old:     `	own.run = run`,
			New:     `	_ = run`,
			Package: "./sandtrap/worker", Test: "TestLateOperations",
		}, {
			ID: "worker/latestreams", Defence: "a late read of the input belongs to the run that made it",
			File:    "sandtrap/worker/policy.go",
			Old:     `r.j.ask(r.ctx,`,
			New:     `r.j.ask(r.j.context(),`,
			Package: "./sandtrap/worker", Test: "TestLateOperations",
		}, {
			ID: "worker/runfiles", Defence: "a worker's files know which run asks",
			File:    "sandtrap/runenv.go",
			Old:     `r.files.RunFS(func() context.Context { return s.now.meter.Context() })`,
			New:     `r.files.FS()`,
			Package: "./sandtrap", Test: "TestFilesOfRun",
		}, {
			ID: "lies/zombies", Defence: "processes that a spawner has started and not reported are waited for",
			File:    "isolate/spawner_linux.go",
			Old:     `		s.reap()`,
			New:     `		_ = s.reap`,
			Package: "./isolate", Test: "TestNoZombies",
		}, {
			ID: "lies/panic", Defence: "a panic in the decoder of an answer is an error about the answer",
			File:    "sandtrap/remote.go",
			Old:     `			err = malformed("answer")`,
			New:     `			err = nil`,
			Package: "./sandtrap", Test: "TestPanicWhileTaking",
		}, {
			ID: "lies/malformed", Defence: "a worker whose answer is malformed is ended",
			File:    "sandtrap/remote.go",
			Old:     `return isMalformed(err), err`,
			New:     `return false, err`,
			Package: "./sandtrap", Test: "TestPanicWhileTaking",
		}, {
			ID: "lies/texts", Defence: "the texts of an error are as bounded as a worker makes them",
			File:    "sandtrap/remote_result.go",
			Old:     `return n > jobs.MaxText+marks`,
			New:     `return n < 0`,
			Package: "./sandtrap", Test: "TestForgedTexts",
		}, {
			ID: "lies/time", Defence: "the time that host functions took is added to a worker's time, and no more",
			File:    "sandtrap/remote_backstop.go",
			Old:     `min(spent, c.limits.HostTime)`,
			New:     `max(spent, c.limits.HostTime)`,
			Package: "./sandtrap/worker", Test: "TestTimeOfWorker",
		}, {
			ID: "lies/callback", Defence: "while a host function waits for the script, time counts as the script's",
			File:    "sandtrap/remote_backstop.go",
			Old:     `	h.Add(-1)`,
			New:     `	h.Add(0)`,
			Package: "./sandtrap/worker", Test: "TestTimeOfWorker",
		}, {
			ID: "lies/late", Defence: "a success after the end of the time is a timeout",
			File:    "sandtrap/remote.go",
			Old:     `if limit.Err() != nil && ctx.Err() == nil {`,
			New:     `if limit.Err() != nil && limit.Err() == nil {`,
			Package: "./sandtrap/worker", Test: "TestTimeOfWorker",
		}, {
			ID: "lies/tool", Defence: "a script in a worker does not go on when its host has told a function that the time is over",
			File:    "sandtrap/remote_call.go",
			Old:     `if isOver(ctx) {`,
			New:     `if ctx == nil {`,
			Package: "./sandtrap/sandtraptest", Test: "TestToolErrorPastDeadline",
		}, {
			ID: "lies/context", Defence: "a success after the end of the context is an error",
			File:    "sandtrap/remote.go",
			Old:     `case err == nil && ctx.Err() != nil:`,
			New:     `case err == nil && ok:`,
			Package: "./sandtrap/worker", Test: "TestSuccessAfterContext",
		}, {
			ID: "lies/dead", Defence: "a worker that died before its job is replaced",
			File:    "sandtrap/remote.go",
			Old:     `taken); !c.unheard {`,
			New:     `taken); c != nil {`,
			Package: "./sandtrap/worker", Test: "TestKilledWhileIdle",
		}, {
			ID: "isolate/audit-failed", Defence: "a worker whose audit has failed is ended",
			File:    "isolate/process_linux.go",
			Old:     `p.kill() // nobody is told any more of what it does`,
			New:     ``,
			Package: "./isolate", Test: "TestAuditFails",
		}, {
			ID: "isolate/swept", Defence: "control groups of a host that was killed are removed by the next host, even if that starts only one worker",
			File:    "isolate/process_linux.go",
			Old:     `sweeping.Do(func() { go cgroups.sweep() }) // many`,
			New:     `// many`,
			Package: "./isolate", Test: "TestSwept",
		}, {
			ID: "isolate/sweptowner", Defence: "a control group is known for one that was left also if another process has the number of its host now",
			File:    "isolate/owner_linux.go",
			Old:     `return err == nil && start != o.start`,
			New:     `return err == nil && start == 0`,
			Package: "./isolate", Test: "TestSweptOwners",
		}, {
			ID: "isolate/sweptspace", Defence: "no control group is removed whose host has its number in another namespace",
			File:    "isolate/owner_linux.go",
			Old:     ` || o.space != pidNamespace()`,
			New:     ``,
			Package: "./isolate", Test: "TestSweptOwners",
		},
	}
}
