package mutate

// loadRows are defences of the service against a disk that is full, and against tenants that take what is for all.
func loadRows() []Mutation {
	return []Mutation{
		{
			ID: "load/unwritten", Defence: "an outcome that the disk does not take is written when it does",
			File: "cmd/sandtrapd/internal/runs/finish.go", Old: "err := m.o.Store.Finish(row)\n\tif !errors.Is(err, store.ErrDisk) {", New: "err := m.o.Store.Finish(row)\n\tif err != nil {",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestFullDisk",
		},
		{
			ID: "load/opening-now", Defence: "a run that somebody is told of while it goes on is written before",
			File: "cmd/sandtrapd/internal/runs/runs.go", Old: "return &Run{row: l.row, live: l}, m.writeNow(l)", New: "return &Run{row: l.row, live: l}, nil",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestWrittenLater",
		},
		{
			ID: "load/opening-later", Defence: "a run that goes on for long is written while it does",
			File: "cmd/sandtrapd/internal/runs/opening.go", Old: "func() { _ = m.writeNow(l) }", New: "func() {}",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestWrittenLater",
		},
		{
			ID: "load/opening-kept", Defence: "a run that goes on when the server has started again is written before it ends",
			File: "cmd/sandtrapd/internal/runs/recover.go", Old: "if l.err = m.writeNow(l); l.err == nil {", New: "if l.err == nil {",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestUnwrittenKept",
		},
		{
			ID: "load/opening-bytes", Defence: "runs that are not written yet count as bytes that are kept",
			File: "cmd/sandtrapd/internal/runs/opening.go", Old: "l.row.Tenant, sum); err != nil", New: "l.row.Tenant, sum-sum); err != nil",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestUnwrittenBounds",
		},
		{
			ID: "load/opening-full", Defence: "where the disk is full, a run that is not written is refused, and does not wait for room",
			File: "cmd/sandtrapd/internal/runs/finish.go", Old: "if row.Unwritten && m.o.Stop == nil {", New: "if false {",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestUnwrittenFull",
		},
		{
			ID: "load/opening-once", Defence: "the outcome of a run that was not written is written once",
			File: "cmd/sandtrapd/internal/store/run.go", Old: "if !taken(err, \"run.id\") && !taken(err, \"run.tenant, run.id\") {", New: "if true {",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestUnwritten",
		},
		{
			ID: "load/together", Defence: "writes that are committed with one that fails are undone, and done again",
			File: "cmd/sandtrapd/internal/store/write.go", Old: "[]string{\"ROLLBACK\", \"BEGIN IMMEDIATE\"}", New: "[]string{}",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestWrites",
		},
		{
			ID: "load/apart", Defence: "a write that fails leaves nothing of it, and the others as they are",
			File: "cmd/sandtrapd/internal/store/write.go", Old: "ROLLBACK TO one", New: "SELECT 1",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestWrites",
		},
		{
			ID: "load/ready", Defence: "a server whose disk is full is not ready",
			File: "cmd/sandtrapd/internal/store/stats.go", Old: "c.failing.Store(err != nil)", New: "c.failing.Store(false)",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestFullDisk",
		},
		{
			ID: "load/record", Defence: "a record that could not be written goes on when it can",
			File: "cmd/sandtrapd/internal/trail/reopen.go", Old: "if t.closed || time.Since(t.tried) < reopenEach {", New: "if !t.closed {",
			Package: "./cmd/sandtrapd/internal/trail", Test: "TestWriteAgain",
		},
		{
			ID: "load/last-turn", Defence: "no tenant has the last one of several turns",
			File: "cmd/sandtrapd/internal/turns/turns.go", Old: "return t.room(c) && t.had[name] < max(1, t.all-1)", New: "return t.room(c)",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestLastTurn",
		},
		{
			ID: "load/clone-turn", Defence: "nor the last clone that may go on",
			File: "cmd/sandtrapd/internal/clone/clone.go", Old: "if !c.turns.Take(ctx, subject.Tenant) {", New: "if c.turns.Hold(subject.Tenant); ctx.Err() != nil {",
			Package: "./cmd/sandtrapd/internal/clone", Test: "TestTurns",
		},
		{
			ID: "load/held-turn", Defence: "a run whose outcome is not written keeps another one from its turn",
			File: "cmd/sandtrapd/internal/turns/turns.go", Old: "	t.has(t.lines[foreground].of(name), foreground)\n", New: "	t.lines[foreground].has(t.lines[foreground].of(name), 1)\n	t.had[name]++\n",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestHold",
		},
		{
			ID: "load/tools", Defence: "tools are compiled only for a run that may begin",
			File: "cmd/sandtrapd/internal/runs/runs.go", Old: `	if err != nil {
		return m.beyond(ctx, tenant, q, err)
	}
	r, policy, err := m.place(ctx, tenant, &q)
`, New: `	late := err
	r, policy, err := m.place(ctx, tenant, &q)
	if err == nil {
		err = late
	}
`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRateOfTools",
		},
		{
			ID: "load/forks", Defence: "forks are runs that begin in a minute",
			File: "cmd/sandtrapd/internal/limits/set.go", Old: "t.mayBegin(l, time.Now(), n)", New: "t.mayBegin(l, time.Now(), 0)",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRateOfForks",
		},
		{
			ID: "load/requests", Defence: "a tenant has so many requests open, with streams, and no more",
			File: "cmd/sandtrapd/internal/api/shares.go", Old: "if t.requests >= most {", New: "if t.requests < 0 {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRequestsOfATenant",
		},
		{
			ID: "load/ends", Defence: "a tenant that has as many requests open as it may ends what goes on",
			File: "cmd/sandtrapd/internal/api/shares.go", Old: "return maxTenantEnds", New: "return maxTenantAnswers",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestFreed",
		},
		{
			ID: "load/address", Defence: "one address without a key leaves connections for others",
			File: "cmd/sandtrapd/internal/conns/conns.go", Old: " || l.from[c.from] >= l.bounds.Address", New: "",
			Package: "./cmd/sandtrapd/internal/conns", Test: "TestAddress",
		},
		{
			ID: "load/keyless", Defence: "connections without a key leave some for those with one",
			File: "cmd/sandtrapd/internal/conns/conns.go", Old: "l.keyless >= l.bounds.Keyless || ", New: "",
			Package: "./cmd/sandtrapd/internal/conns", Test: "TestAddress",
		},
		{
			ID: "load/idle", Defence: "a connection that had a key counts as one without when its request has ended",
			File: "cmd/sandtrapd/internal/conns/conns.go", Old: "return func() { c.setKeyed(false) }", New: "return func() {}",
			Package: "./cmd/sandtrapd/internal/conns", Test: "TestIdle",
		},
		{
			ID: "load/keyed", Defence: "a connection on which a request with a key goes on does not count as one without",
			File: "cmd/sandtrapd/internal/api/server.go", Old: "defer conns.Keyed(q.Context())()", New: "_ = conns.Keyed",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestFewFiles",
		},
		{
			ID: "load/files", Defence: "connections leave files for what the server opens itself",
			File: "cmd/sandtrapd/internal/cli/parts.go", Old: "if files == 0 || files/4*3 >= maxConnections {", New: "if files > 0 {",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestFewFiles",
		},
		{
			ID: "load/bodies", Defence: "bodies that a tenant is sending hold so much memory, and no more",
			File: "cmd/sandtrapd/internal/api/shares.go", Old: "if t.bytes+n > maxTenantBodies {", New: "if t.bytes < 0 {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestBodiesOfATenant",
		},
		{
			ID: "load/key", Defence: "the key of a request that can be sent again is bounded",
			File: "cmd/sandtrapd/internal/runs/line.go", Old: "case len(key) > maxKey:", New: "case len(key) < 0:",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestLongKey",
		},
		{
			ID: "load/queued", Defence: "a run that had not begun when the server ended begins again",
			File: "cmd/sandtrapd/internal/runs/recover.go", Old: "return l.repeats || !l.begun }", New: "return l.repeats }",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestDrainedQueue",
		},
		{
			ID: "load/restricted", Defence: "a file of tenants that is missing opens no policy",
			File: "cmd/sandtrapd/internal/policies/files.go", Old: "errors.Is(err, fs.ErrNotExist) && !c.restricts {", New: "errors.Is(err, fs.ErrNotExist) {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTenantsFileGone",
		},
	}
}
