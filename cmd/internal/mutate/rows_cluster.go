package mutate

// clusterRows are defences of runs on other machines: against workers that lie or are lost.
func clusterRows() []Mutation {
	const dir, pkg = "cmd/sandtrapd/internal/cluster/", "./cmd/sandtrapd/internal/cluster"
	return []Mutation{
		{
			ID: "cluster/numbers", Defence: "a frame that is missing or comes twice ends the job there",
			File: dir + "try.go", Old: "case one.Number != t.next:", New: "case false:",
			Package: pkg, Test: "TestLiars",
		},
		{
			ID: "cluster/outcome", Defence: "an outcome of a worker is checked",
			File: dir + "told.go", Old: "if err := check(&o); err != nil {", New: "if err := check(&o); false {",
			Package: pkg, Test: "TestLiars",
		},
		{
			ID: "cluster/record", Defence: "a worker tells the record of its own run alone",
			File: dir + "told.go", Old: "	e.Subject = decide.Subject{", New: "	_ = decide.Subject{",
			Package: pkg, Test: "TestRecorded",
		},
		{
			ID: "cluster/again", Defence: "output of a run that begins anew comes to its client once",
			File: dir + "told.go", Old: "t.streams[i].skip = t.streams[i].had", New: "t.streams[i].skip = 0",
			Package: pkg, Test: "TestLost",
		},
		{
			ID: "cluster/cut-off", Defence: "a worker that is cut off ends its jobs, which others do by then",
			File: dir + "worker.go", Old: "} else if time.Since(w.heard) > silentFor {", New: "} else if w.heard.IsZero() {",
			Package: pkg, Test: "TestCutOff",
		},
		{
			ID: "cluster/late", Defence: "a worker that begins a job late ends it",
			File: dir + "try.go", Old: "_ = f.conn.Publish(ends+worker, []byte(id))", New: "_, _ = worker, id",
			Package: pkg, Test: "TestLate",
		},
		{
			ID: "cluster/silent", Defence: "a worker that is silent is lost",
			File: dir + "members.go", Old: "if one.seen.Before(since) {", New: "if since.IsZero() {",
			Package: pkg, Test: "TestBeats",
		},
		{
			ID: "cluster/beats", Defence: "a beat claims no more than a worker can have",
			File: dir + "members.go", Old: "b.Slots >= 0 && b.Slots <= maxSlots && ", New: "",
			Package: pkg, Test: "TestBeats",
		},
		{
			ID: "cluster/level", Defence: "runs go to workers of their own isolation alone",
			File: dir + "members.go", Old: "if one.beat.Level != f.level {", New: "if false {",
			Package: pkg, Test: "TestBeats",
		},
		{
			ID: "cluster/portable", Defence: "a run that opens something of the server, or counts over several runs, stays there",
			File: "cmd/sandtrapd/internal/plans/make.go", Old: "if d.file.Guard == nil && len(d.file.Members) == 0 && onlyTools(&b.Policy) && b.Tools == nil && canWait(&b.Policy) {", New: "if b.Tools == nil {",
			Package: "./cmd/sandtrapd/internal/plans", Test: "TestPortable",
		},
		{
			ID: "cluster/file", Defence: "so does one whose policy is a file of the server",
			File: "cmd/sandtrapd/internal/policies/adopt.go", Old: "if err != nil || row.Source != store.Sent {", New: "if err != nil {",
			Package: "./cmd/sandtrapd/internal/plans", Test: "TestPortable",
		},
	}
}
