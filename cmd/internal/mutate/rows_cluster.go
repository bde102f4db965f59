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
			File: dir + "worker.go", Old: "	if time.Since(w.heard) > silentFor {", New: "	if w.heard.IsZero() {",
			Package: pkg, Test: "TestCutOff",
		},
		{
			ID: "cluster/near-others", Defence: "where there are other workers, they have jobs too",
			File: dir + "near.go", Old: "|| f.slotsOf(one) != f.slots {", New: "{",
			Package: pkg, Test: "TestNearAlone",
		},
		{
			ID: "cluster/near-full", Defence: "a worker of the front's process does no job for which it has no memory",
			File: dir + "near.go", Old: "	if !ok {\n		cancel()\n		return nil, nil", New: "	if !ok && memory < 0 {\n		cancel()\n		return nil, nil",
			Package: pkg, Test: "TestNearFull",
		},
		{
			ID: "cluster/near-again", Defence: "it tells nothing of a job that another worker has told",
			File: dir + "near.go", Old: "r.s.write(r.w, b)", New: "_, _ = r.w.Write(b)",
			Package: pkg, Test: "TestNearAgain",
		},
		{
			ID: "cluster/near-cut-off", Defence: "it does not end a job that nobody else does",
			File: dir + "worker.go", Old: "if !d.near {", New: "if true {",
			Package: pkg, Test: "TestNearCutOff",
		},
		{
			ID: "cluster/late", Defence: "a worker that begins a job late ends it",
			File: dir + "try.go", Old: "_ = f.conn.Publish(ends+worker, []byte(id))", New: "_, _ = worker, id",
			Package: pkg, Test: "TestLate",
		},
		{
			ID: "cluster/silent", Defence: "a worker that is silent is lost",
			File: dir + "members.go", Old: "if one.seen.Before(since) {\n\t\t\tgone = true", New: "if since.IsZero() {\n\t\t\tgone = true",
			Package: pkg, Test: "TestBeats",
		},
		{
			ID: "cluster/beats", Defence: "a beat claims no more than a worker can have",
			File: dir + "members.go", Old: "b.Slots >= 0 && b.Slots <= maxSlots && ", New: "",
			Package: pkg, Test: "TestBeats",
		},
		{
			ID: "cluster/level", Defence: "runs go to workers of their own isolation alone",
			File: dir + "members.go", Old: "case b.Level != f.level:", New: "case false:",
			Package: pkg, Test: "TestBeats",
		},
		{
			ID: "cluster/version", Defence: "runs go to workers that speak the same version of the protocol alone",
			File: dir + "members.go", Old: "if v := parts[1]; v != version {", New: "if v := parts[1]; false {",
			Package: pkg, Test: "TestUnfit",
		},
		{
			ID: "cluster/readable", Defence: "a version that a worker tells of itself has no control characters",
			File: dir + "members.go", Old: " && readable(b.Version)", New: "",
			Package: pkg, Test: "TestUnfit",
		},
		{
			ID: "cluster/terminal", Defence: "the command quotes texts of a server that a terminal would obey",
			File: "cmd/sandtrapd/internal/cli/status.go", Old: "if !strconv.IsPrint(r) {", New: "if r < 0 {",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestNoClusterStatus",
		},
		{
			ID: "cluster/portable", Defence: "a run that opens something of the server, or counts over several runs, stays there",
			File: "cmd/sandtrapd/internal/plans/make.go", Old: "if d.file.Guard == nil && len(d.file.Members) == 0 && onlyTools(&b.Policy) && canWait(&b.Policy) {", New: "if b.Policy.Env == nil {",
			Package: "./cmd/sandtrapd/internal/plans", Test: "TestPortable",
		},
		{
			ID: "cluster/file", Defence: "so does one whose policy is a file of the server",
			File: "cmd/sandtrapd/internal/policies/adopt.go", Old: "if err != nil || row.Source != store.Sent {", New: "if err != nil {",
			Package: "./cmd/sandtrapd/internal/plans", Test: "TestPortable",
		},
		{
			ID: "cluster/calls", Defence: "so does one that calls more than its tools: if its worker were lost, nobody would know what it has called",
			File: "cmd/sandtrapd/internal/plans/make.go", Old: " && onlyTools(&b.Policy) && canWait(&b.Policy) {", New: " && canWait(&b.Policy) {",
			Package: "./cmd/sandtrapd/internal/upstream", Test: "TestStays",
		},
		{
			ID: "cluster/paused", Defence: "a worker whose outcome waits is believed when the server has checked that",
			File: dir + "told.go", Old: "if err := t.out.Check(&o); err != nil {", New: "if err := t.out.Check(&o); false {",
			Package: pkg, Test: "TestPausedElsewhere",
		},
		{
			ID: "cluster/same-run", Defence: "the journal that a worker sends is that of the run that it was given",
			File: "cmd/sandtrapd/internal/runs/wait.go", Old: "if !bytes.HasPrefix(journal, known) {", New: "if len(known) == 0 {",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestLies",
		},
		{
			ID: "cluster/answered", Defence: "a call that a client has answered does not wait for him again, so that he does nothing twice",
			File: "cmd/sandtrapd/internal/runs/wait.go", Old: "if a.Verdict == \"\" && slices.ContainsFunc(", New: "if a.ID < 0 && slices.ContainsFunc(",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestLiesLater",
		},
		{
			ID: "cluster/kept", Defence: "what a worker says that a run waits for is bounded",
			File: "cmd/sandtrapd/internal/runs/wait.go", Old: "	return callsOf(journal, pause)\n}\n\n// callsOf", New: "	return encode(pendingOf(pause)), nil\n}\n\n// callsOf",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestLies",
		},
		{
			ID: "cluster/begun", Defence: "a run has its seed and its clock before its script runs, so that its calls are the same when it is done again",
			File: "cmd/sandtrapd/internal/runs/job.go", Old: "	return text.Bytes(), m.journal(", New: "	return text.Bytes(), error(nil)\n	return nil, m.journal(",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestBegunOnDisk",
		},
		{
			ID: "cluster/waited", Defence: "a run that has waited does not fail for want of a worker",
			File: "cmd/sandtrapd/internal/runs/job.go", Old: " && begunBefore {", New: " && !begunBefore {",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestNoWorkerLater",
		},
		{
			ID: "cluster/told", Defence: "output that clients have of a run is not told again when it goes on",
			File: "cmd/sandtrapd/internal/runs/worker.go", Old: "StdoutSkip: job.Told.Stdout, ", New: "",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestRepeated",
		},
		{
			ID: "cluster/tools", Defence: "the text of tools that a worker takes is bounded",
			File: "cmd/sandtrapd/internal/runs/worker.go", Old: "if err := w.Plans.Admit(job.Tenant, tools); err != nil {", New: "if err := w.Plans.Admit(job.Tenant, \"\"); err != nil {",
			Package: "./cmd/sandtrapd/internal/runs", Test: "TestToolsOfWorker",
		},
		{
			ID: "journal/can-wait", Defence: "in a journal that waits there are calls of functions that can wait alone",
			File: "sandtrap/durable/durable.go", Old: "if err := b.members.CanWait(&w); err != nil {", New: "if err := b.members.CanWait(&w); false {",
			Package: "./sandtrap/durable", Test: "TestLoadPause",
		},
		{
			ID: "wire/fields", Defence: "a message with a field that its reader does not have is none",
			File: "isolate/wire/message.go", Old: "cbor.ExtraDecErrorUnknownField", New: "cbor.ExtraDecErrorNone",
			Package: "./isolate/wire", Test: "TestUnknownField",
		},
	}
}
