package mutate

// reachRows are defences for who uses a cluster: against servers that wait for one that is gone, and processes that have what another one has.
func reachRows() []Mutation {
	const dir = "cmd/sandtrapd/internal/"
	const cluster, cli, ledger, sessions = "./cmd/sandtrapd/internal/cluster", "./cmd/sandtrapd/internal/cli", "./cmd/sandtrapd/internal/ledger", "./cmd/sandtrapd/internal/sessions"
	return []Mutation{
		{
			ID: "reach/unwritten", Defence: "who waits for a run whose outcome the ledger does not take is told so in time",
			File: dir + "runs/finish.go", Old: "	if errors.Is(err, store.ErrCluster) && (", New: "	if err == nil && (",
			Package: cli, Test: "TestClusterGone",
		},
		{
			ID: "reach/begin", Defence: "no run begins at a server whose cluster is gone",
			File: dir + "ledger/current.go", Old: "silent > staleFor", New: "silent > 1000*staleFor",
			Package: cli, Test: "TestClusterGone",
		},
		{
			ID: "reach/second", Defence: "of two processes with the key of a worker the second one ends",
			File: dir + "cluster/members.go", Old: "	if b.Slots > 0 && instance != \"\" && instance == one.first {", New: "	if b.Slots < 0 {",
			Package: cluster, Test: "TestSecondProcess",
		},
		{
			ID: "reach/copy", Defence: "a server with a copy of the data directory of another one ends",
			File: dir + "peers/group.go", Old: `b.Instance != "" && b.Instance != g.says.Instance {`, New: `b.Instance == "" && b.Instance != g.says.Instance {`,
			Package: cli, Test: "TestFrontRemoved",
		},
		{
			ID: "reach/removed", Defence: "a server whose key was removed ends",
			File: dir + "cluster/connect.go", Old: "errors.Is(err, nats.ErrAuthorization) {\n				log", New: "err == nil {\n				log",
			Package: cli, Test: "TestFrontRemoved",
		},
		{
			ID: "reach/left", Defence: "what a process has left on disk is removed when it is gone, and not before",
			File: dir + "sessions/cachedir.go", Old: "	if filelock.TryLock(lock) != nil {", New: "	if false {",
			Package: sessions, Test: "TestCacheLeft",
		},
		{
			ID: "reach/missed", Defence: "a job ends whose front was cut off when its worker told of its end",
			File: dir + "cluster/members.go", Old: "f.cutOff(time.Now())", New: "_ = n",
			Package: cluster, Test: "TestMissedEnd",
		},
		{
			ID: "reach/cut", Defence: "a worker does not tell as an outcome that it has ended a job since it was cut off",
			File: dir + "cluster/worker.go", Old: "	if cut { ", New: "	if cut && false { ",
			Package: cluster, Test: "TestCutIsNoOutcome",
		},
		{
			ID: "reach/away", Defence: "a job that no worker has taken waits while the cluster is away",
			File: dir + "cluster/away.go", Old: "	if f.awayAt.After(since) {", New: "	if false {",
			Package: cluster, Test: "TestAway",
		},
		{
			ID: "reach/ledger-away", Defence: "a front whose ledger does not answer takes its cluster for one that is away",
			File: dir + "cluster/away.go", Old: "f.conn.IsConnected() && (reached == nil || reached() == nil)", New: "f.conn.IsConnected() && (reached == nil || true)",
			Package: cluster, Test: "TestLedgerAway",
		},
		{
			ID: "reach/anew", Defence: "a run that workers can do anew is kept where the server ends before it does",
			File: dir + "runs/recover.go", Old: "return l.anew })", New: "return l.anew && false })",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestDrainAnew",
		},
		{
			ID: "reach/unheard", Defence: "a run that was cancelled says so, and not that the server ended, where its worker does not answer",
			File: dir + "runs/job.go", Old: "context.Cause(l.ctx) == errCancelled: // its worker", New: "false: // its worker",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestCancelledUnheard",
		},
		{
			ID: "reach/beside", Defence: "doctor does not connect with the key of a server that runs",
			File: dir + "cli/doctor_cluster.go", Old: `	if cfg.beside && c.key != "" {`, New: `	if cfg.beside && c.key == "" {`,
			Package: cli, Test: "TestDoctorBeside",
		},
		{
			ID: "reach/no-use", Defence: "no key is made where nobody reads who is let in",
			File: dir + "cli/roster.go", Old: "	if !external && elsewhere(r) {", New: "	if false {",
			Package: cli, Test: "TestKeyOfNoUse",
		},
		{
			ID: "reach/deaf", Defence: "a server goes on that asks for what NATS has lost, of which nobody answers",
			File: dir + "ledger/feed.go", Old: "ctx, cancel := context.WithTimeout(ctx, within)", New: "ctx, cancel := context.WithCancel(ctx)",
			Package: ledger, Test: "TestDeafFeed",
		},
		{
			ID: "reach/late", Defence: "nobody waits without end for what other servers have written",
			File: dir + "ledger/reach.go", Old: "late := time.After(staleFor)", New: "late := make(chan time.Time)",
			Package: ledger, Test: "TestLateFeed",
		},
		{
			ID: "reach/again", Defence: "what is refused since the cluster is gone can be tried again, as lines of batches are",
			File: dir + "ledger/current.go", Old: "return unreachable{fmt.Errorf(\"%w: the ledger has not answered for %s\", store.ErrCluster, silent.Round(time.Second))}",
			New:     "return fmt.Errorf(\"%w: the ledger has not answered for %s\", store.ErrCluster, silent.Round(time.Second))",
			Package: ledger, Test: "TestRefused",
		},
		{
			ID: "reach/refused", Defence: "a run that was refused, and is in the ledger after all, goes on as one that has not begun",
			File: dir + "ledger/doubt.go", Old: "d.tenant, d.id, !fresh)", New: "d.tenant, d.id, true)",
			Package: ledger, Test: "TestRefused",
		},
		{
			ID: "reach/refused-here", Defence: "a run that was refused here, and has begun at another server, is not done again",
			File: dir + "ledger/doubt.go", Old: "one != nil && slices.Contains(one.fresh, r.Seq)", New: "one != nil && len(one.fresh) > 0",
			Package: ledger, Test: "TestRefusedAndBegunElsewhere",
		},
		{
			ID: "reach/known", Defence: "a server ends that catches up with a ledger which NATS has lost",
			File: dir + "ledger/known.go", Old: ", MaxResetAttempts: 1}", New: "}",
			Package: ledger, Test: "TestKnownEnds",
		},
		{
			ID: "reach/busy", Defence: "one asks at a time for a feed which begins again",
			File: dir + "ledger/feed.go", Old: "if f.told == nil {", New: "if true {",
			Package: ledger, Test: "TestBusyFeed",
		},
		{
			ID: "reach/meanwhile", Defence: "a ledger is there that answers while a server catches up with it",
			File: dir + "ledger/feed.go", Old: "l.heard(began)", New: "_ = began",
			Package: ledger, Test: "TestReachedMeanwhile",
		},
		{
			ID: "reach/told", Defence: "who waits for a cell is told that the cluster is away which has its session",
			File: dir + "runs/finish.go", Old: "if m.reached() != nil {", New: "if false {",
			Package: sessions, Test: "TestAwayTold",
		},
		{
			ID: "reach/no-key", Defence: "a run that was refused and has no key goes on nowhere",
			File: dir + "ledger/doubt.go", Old: "if fresh && r.Key == \"\" {", New: "if fresh && r.Key == \"none\" {",
			Package: ledger, Test: "TestRefused",
		},
		{
			ID: "reach/not-begun", Defence: "a run that has not begun does not fail as one that was interrupted",
			File: dir + "runs/recover.go", Old: "	if !begun {", New: "	if false {",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestNotBegun",
		},
		{
			ID: "reach/cell", Defence: "a cell waits for a cluster that is away",
			File: dir + "sessions/queue.go", Old: "errors.Is(t.lease(ctx), store.ErrCluster);", New: "errors.Is(t.lease(ctx), store.ErrCluster) && false;",
			Package: sessions, Test: "TestClusterAway",
		},
		{
			ID: "reach/place", Defence: "a run begins though another server has one at its place in lists",
			File: dir + "store/shared.go", Old: "if taken(err, \"run.seq\") {", New: "if err == nil {",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestSamePlace",
		},
		{
			ID: "reach/same", Defence: "a run that the ledger has again at the same revision is here as it is there",
			File: dir + "ledger/catch.go", Old: "err == nil && there.of(here) {", New: "err == nil && here != nil {",
			Package: ledger, Test: "TestSameRevision",
		},
		{
			ID: "reach/marks", Defence: "a server that catches up again begins where it was",
			File: dir + "store/marks.go", Old: "return one.Revision > revision })", New: "return one.Revision > 0 })",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestMarksKept",
		},
	}
}
