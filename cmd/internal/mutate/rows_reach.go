package mutate

// reachRows are defences for who uses a cluster: against servers that wait for one that is gone, and processes that have what another one has.
func reachRows() []Mutation {
	const dir = "cmd/sandtrapd/internal/"
	const cluster, cli, sessions = "./cmd/sandtrapd/internal/cluster", "./cmd/sandtrapd/internal/cli", "./cmd/sandtrapd/internal/sessions"
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
			File: dir + "cluster/members.go", Old: "f.back(time.Now())", New: "_ = n",
			Package: cluster, Test: "TestMissedEnd",
		},
		{
			ID: "reach/cut", Defence: "a worker does not tell as an outcome that it has ended a job since it was cut off",
			File: dir + "cluster/worker.go", Old: "	if cut { ", New: "	if cut && false { ",
			Package: cluster, Test: "TestCutIsNoOutcome",
		},
	}
}
