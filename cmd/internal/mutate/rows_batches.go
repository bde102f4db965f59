package mutate

// batchRows are defences of batches: against lines that run twice, never or for ever, and tenants who have many of them.
func batchRows() []Mutation {
	const dir, api, batches = "cmd/sandtrapd/internal/", "./cmd/sandtrapd/internal/api", "./cmd/sandtrapd/internal/batches"
	return []Mutation{
		{
			ID: "batches/aside", Defence: "batches that were cancelled, and do not end, hold up no others",
			File: dir + "batches/aside.go", Old: "if now.Before(a.next) {", New: "if now.Before(time.Time{}) {",
			Package: "./cmd/sandtrapd/internal/batches", Test: "TestStuckAside",
		},
		{
			ID: "batches/at-once", Defence: "batches that were cancelled are ended some at a time",
			File: dir + "batches/aside.go", Old: "endAtOnce = 8", New: "endAtOnce = 1",
			Package: "./cmd/sandtrapd/internal/batches", Test: "TestStuckAside",
		},
		{
			ID: "batches/key", Defence: "no client has the key of a line",
			File: dir + "runs/line.go", Old: "strings.HasPrefix(key, lineKey)", New: "strings.HasPrefix(key, lineKey+lineKey)",
			Package: api, Test: "TestBatch",
		},
		{
			ID: "batches/queued", Defence: "the lines of a tenant that have no result are bounded",
			File: dir + "batches/batches.go", Old: "case int64(in.lines) > in.left:", New: "case false:",
			Package: api, Test: "TestMalformedBatch",
		},
		{
			ID: "batches/begins", Defence: "a line that ends the server each time is begun three times at most",
			File: dir + "runs/recover.go", Old: "row.Begins >= maxBegins", New: "false",
			Package: batches, Test: "TestBegins",
		},
		{
			ID: "batches/ack", Defence: "lines are in the queue of servers until they have results",
			File: dir + "batches/shared.go", Old: "	last := p.left == 0\n", New: "	last := true\n",
			Package: batches, Test: "TestSharedLines",
		},
		{
			ID: "batches/discard", Defence: "a batch that is cancelled has not ended while another server has lines of it",
			File: dir + "batches/left.go", Old: "len(info.State.Subjects) > 0", New: "len(info.State.Subjects) > 1<<30",
			Package: batches, Test: "TestSharedLines",
		},
		{
			ID: "batches/other", Defence: "of servers that are sent a batch with one key at a time one makes it",
			File: dir + "ledger/batch.go", Old: "if err := l.claimBatch(ctx, b); err != nil {", New: "if err := l.claimBatch(ctx, b); err != nil && false {",
			Package: batches, Test: "TestKeyAtTwoServers",
		},
		{
			ID: "batches/room", Defence: "lines leave room in the limits of their tenant",
			File: dir + "limits/set.go", Old: "return s.begin(ctx, name, (*tenant).roomForLine)", New: "return s.Begin(ctx, name)",
			Package: batches, Test: "TestRoom",
		},
		{
			ID: "batches/turns", Defence: "what nobody waits for has half of the turns at most",
			File: dir + "turns/turns.go", Old: " && (c == foreground || t.starves() || t.roomBehind(t.lines[c].had))", New: "",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestBackground",
		},
		{
			ID: "batches/gives-way", Defence: "what nobody waits for has fewer turns beside what somebody waits for",
			File: dir + "turns/yield.go", Old: "return max(1, t.all/4)", New: "return max(1, t.all/2)",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestGivesWay",
		},
		{
			ID: "batches/rests", Defence: "turns of what nobody waits for do not follow each other at once beside others",
			File: dir + "turns/yield.go", Old: "t.yield.until = now.Add(restFor / time.Duration(t.share(now)))", New: "_ = restFor",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestRests",
		},
		{
			ID: "batches/goes-on", Defence: "what nobody waits for goes on when its rest is over, and does not wait until something else happens",
			File: dir + "turns/yield.go", Old: "time.AfterFunc(at.Sub(now), func() { t.looked(at) })", New: "_ = t.looked",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestRests",
		},
		{
			ID: "batches/behind", Defence: "a worker takes few jobs that nobody waits for beside those of another front",
			File: dir + "cluster/worker.go", Old: "if d.background && !w.queue.Turns.RoomBehind(w.behind) {", New: "if false {",
			Package: "./cmd/sandtrapd/internal/cluster", Test: "TestBehind",
		},
		{
			ID: "batches/starve", Defence: "lines of a batch have a turn in the end, whatever comes that somebody waits for",
			File: dir + "turns/turns.go", Old: "if t.starves() && t.giveIn(background) {", New: "if false && t.giveIn(background) {",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestBackgroundIsNotStarved",
		},
		{
			ID: "limits/share", Defence: "a tenant has of several servers what it would have of one",
			File: dir + "limits/table.go", Old: "*n/max(1, servers))", New: "*n)",
			Package: "./cmd/sandtrapd/internal/limits", Test: "TestShare",
		},
		{
			ID: "limits/cut-off", Defence: "a server that was cut off does not let tenants have all before it hears the others again",
			File: dir + "peers/group.go", Old: "	if g.live > 0 && (now", New: "	if false && (now",
			Package: "./cmd/sandtrapd/internal/peers", Test: "TestBack",
		},
		{
			ID: "batches/run-deleted", Defence: "a result is not deleted without its batch",
			File: dir + "store/run.go", Old: `case err == nil && batch != "":`, New: "case false:",
			Package: api, Test: "TestBatch",
		},
	}
}
