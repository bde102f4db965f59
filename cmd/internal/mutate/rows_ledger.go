package mutate

// ledgerRows are defences of the ledger: against runs that have two outcomes, go on twice, or are lost.
func ledgerRows() []Mutation {
	const dir, pkg = "cmd/sandtrapd/internal/ledger/", "./cmd/sandtrapd/internal/ledger"
	return []Mutation{
		{
			ID: "ledger/compare-and-set", Defence: "of servers that change a run at a time one does",
			File: dir + "bucket.go", Old: "l.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(expect))", New: "l.js.PublishMsg(ctx, m)",
			Package: pkg, Test: "TestOnce",
		},
		{
			ID: "ledger/fence", Defence: "a server whose run goes on elsewhere does not change it",
			File: dir + "change.go", Old: "if r.State != store.Running || r.Owner != l.id {", New: "if r.State != store.Running {",
			Package: pkg, Test: "TestFenced",
		},
		{
			ID: "ledger/claim", Defence: "the run of a silent server goes on in one other server",
			File: dir + "change.go", Old: "if r.State != store.Running || r.Owner != server {", New: "if r.State != store.Running {",
			Package: pkg, Test: "TestClaimed",
		},
		{
			ID: "ledger/session", Defence: "a run in a session goes on where its session is alone",
			File: dir + "servers.go", Old: `if o.Session != "" {`, New: "if false {",
			Package: pkg, Test: "TestTakenOver",
		},
		{
			ID: "ledger/end", Defence: "a ledger that has lost its end gets it again",
			File: dir + "feed.go", Old: "top > end", New: "false && top > end",
			Package: pkg, Test: "TestLostEnd",
		},
		{
			ID: "ledger/deleted", Defence: "a server that was away does not keep what was deleted meanwhile",
			File: dir + "feed.go", Old: "if info.State.Subjects[subject(o.Tenant, o.ID)] > 0 ||", New: "if true ||",
			Package: pkg, Test: "TestDeleted",
		},
		{
			ID: "ledger/key", Defence: "a run with a key begins at one server",
			File: dir + "ledger.go", Old: "return keyedID(tenant, key)", New: `return keyedID(tenant, key+l.id)`,
			Package: pkg, Test: "TestKey",
		},
	}
}
