package mutate

// heldRows are defences of what sessions and batches have in the ledger and the queue that servers share.
func heldRows() []Mutation {
	const ledger, batches, sessions = "cmd/sandtrapd/internal/ledger/", "cmd/sandtrapd/internal/batches/", "cmd/sandtrapd/internal/sessions/"
	const objects, inObjects = "cmd/sandtrapd/internal/objects/", "./cmd/sandtrapd/internal/objects"
	const inLedger, inBatches, inSessions = "./cmd/sandtrapd/internal/ledger", "./cmd/sandtrapd/internal/batches", "./cmd/sandtrapd/internal/sessions"
	return []Mutation{
		{
			ID: "holds/copies", Defence: "what forks and snapshots have in the ledger counts for their tenant",
			File: "cmd/sandtrapd/internal/store/usage.go", Old: "SELECT bytes + max(0, shared - contents) FROM usage", New: "SELECT bytes FROM usage",
			Package: inLedger, Test: "TestBytesOfCopies",
		},
		{
			ID: "holds/room", Defence: "no more copies of a session are made than there is room for",
			File: sessions + "room.go", Old: "m.o.Room(ctx, tenant, more)", New: "m.o.Room(ctx, tenant, 0)",
			Package: inSessions, Test: "TestRoomOfCopies",
		},
		{
			ID: "holds/at-a-time", Defence: "copies that are made at a time do not take the same room",
			File: sessions + "room.go", Old: "	c.mu.Lock()\n	return", New: "	c.mu = sync.Mutex{}\n	c.mu.Lock()\n	return",
			Package: inSessions, Test: "TestRoomOfCopies",
		},
		{
			ID: "holds/some-forks", Defence: "of forks that are made together all are there, or none",
			File: ledger + "keep.go", Old: "range forks[:i] {", New: "range forks[:i*0] {",
			Package: inLedger, Test: "TestSomeForks",
		},
		{
			ID: "holds/sweep", Defence: "objects that an entry names are not swept",
			File: objects + "sweep.go", Old: "if stay == nil || stay[o.Name] && !o.Deleted {", New: "if stay == nil {",
			Package: inLedger, Test: "TestSweep",
		},
		{
			ID: "holds/sweep-newer", Defence: "nor are those of an entry of a newer build",
			File: objects + "sweep.go", Old: "if stay == nil || stay", New: "if stay",
			Package: inLedger, Test: "TestSweepNewer",
		},
		{
			ID: "holds/erase", Defence: "an object that is written again while it is deleted stays",
			File: objects + "objects.go", Old: "jetstream.WithPurgeSequence(info.at+1)", New: "jetstream.WithPurgeSequence(0)",
			Package: inObjects, Test: "TestErasedAnew",
		},
		{
			ID: "holds/missing", Defence: "an entry whose object is missing is tried again",
			File: ledger + "feed.go", Old: "l.aside(of, revision)", New: "l.log.Error(of)",
			Package: inLedger, Test: "TestMissingObject",
		},
		{
			ID: "holds/asker", Defence: "a session goes to the server that has asked for it, before who gives it up has it again",
			File: ledger + "yield.go", Old: "asked.First(id))", New: `""[:min(0, len(asked.First(id)))])`,
			Package: inLedger, Test: "TestAskerIsNext",
		},
		{
			ID: "holds/partition", Defence: "a server that is cut off for a moment keeps its sessions",
			File: "cmd/sandtrapd/internal/peers/missing.go", Old: "return now.Sub(m.since) >= GoneFor", New: "return now.Sub(m.since) >= askedIn/4",
			Package: inLedger, Test: "TestShortPartition",
		},
		{
			ID: "holds/flood", Defence: "IDs that somebody makes up do not keep servers out",
			File: "cmd/sandtrapd/internal/peers/group.go", Old: "return now.Sub(at) > SilentFor })", New: "return false && now.Sub(at) > SilentFor })",
			Package: "./cmd/sandtrapd/internal/peers", Test: "TestFloodOfServers",
		},
		{
			ID: "holds/flood-silent", Defence: "a server is not taken for a silent one because there was no room for it",
			File: "cmd/sandtrapd/internal/peers/group.go", Old: "(known || g.room(now))", New: "(known || g.room(now) || true)",
			Package: "./cmd/sandtrapd/internal/peers", Test: "TestFloodOfServers",
		},
		{
			ID: "holds/not-kept", Defence: "a worker does not go on with what a session has not kept",
			File: "cmd/sandtrapd/internal/runs/live.go", Old: "o.written(notKept)", New: "o.written(l.err)",
			Package: inSessions, Test: "TestNotKept",
		},
		{
			ID: "holds/policy", Defence: "a snapshot has the policy that it had before its server has joined a cluster",
			File: sessions + "snapshots.go", Old: "man.Policy = row.Policy //", New: "_ = row.Policy //",
			Package: inSessions, Test: "TestSnapshotJoins",
		},
		{
			ID: "holds/read-once", Defence: "a worker does not have the server read a content for each byte of it",
			File: "cmd/sandtrapd/internal/cluster/contents.go", Old: "if g.had[hash] {", New: "if false && g.had[hash] {",
			Package: "./cmd/sandtrapd/internal/cluster", Test: "TestReadOnce",
		},
		{
			ID: "holds/malformed", Defence: "a line that cannot be read is dead",
			File: batches + "work.go", Old: "return nil, errors.Join(err, f.giveUp((&Line{})", New: "return nil, errors.Join(err, nil); return nil, errors.Join(err, f.giveUp((&Line{})",
			Package: inBatches, Test: "TestMalformedLine",
		},
		{
			ID: "holds/given-up", Defence: "that a line was given up is written, if not at once",
			File: batches + "work.go", Old: "if f.pause(retryMost); f.ctx.Err() != nil {", New: "if f.pause(retryMost); true {",
			Package: inBatches, Test: "TestMalformedLine",
		},
		{
			ID: "holds/lost", Defence: "lines that the queue has lost are dead",
			File: batches + "work.go", Old: "return false, f.lost(b)", New: "return false, nil",
			Package: inBatches, Test: "TestLostLines",
		},
		{
			ID: "holds/queued", Defence: "the lines of one tenant do not fill the queue of all",
			File: batches + "tend.go", Old: "err == nil && all <= m.o.Queued; {", New: "err == nil; {",
			Package: inBatches, Test: "TestQueuedBytes",
		},
		{
			ID: "holds/swept-lines", Defence: "lines of a batch that is there are not swept",
			File: batches + "left.go", Old: "is || err != nil {", New: "false && is || err != nil {",
			Package: inBatches, Test: "TestSweepLines",
		},
		{
			ID: "holds/stopped", Defence: "a batch that another server has ended is not noted for ever",
			File: batches + "work.go", Old: "delete(m.stopped, of)\n		}", New: "_ = of\n		}",
			Package: inBatches, Test: "TestStoppedElsewhere",
		},
	}
}
