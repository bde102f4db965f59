package mutate

// cellRows are defences of cells of sessions that workers elsewhere do.
func cellRows() []Mutation {
	const cluster, sessions = "./cmd/sandtrapd/internal/cluster", "./cmd/sandtrapd/internal/sessions"
	const elsewhere, contents = "cmd/sandtrapd/internal/sessions/elsewhere.go", "cmd/sandtrapd/internal/cluster/contents.go"
	return []Mutation{
		{
			ID: "cells/foreign", Defence: "a worker gets the contents of the session whose cell it has, and no others",
			File: elsewhere, Old: "if _, has := e.sizes[c.Hash]; !has {", New: "if _, has := e.sizes[c.Hash]; false && has {",
			Package: sessions, Test: "TestForeignContents",
		},
		{
			ID: "cells/content", Defence: "a session that a worker sends has contents that it had, or that came",
			File: elsewhere, Old: "if !(has && had == n) && !(is && size == n) {", New: "if false && !(has && had == n) && !(is && size == n) {",
			Package: sessions, Test: "TestLiesOfCells",
		},
		{
			ID: "cells/more", Defence: "contents that a session does not have are not kept",
			File: elsewhere, Old: "if _, listed := sizes[h]; !listed {", New: "if _, listed := sizes[h]; false && listed {",
			Package: sessions, Test: "TestLiesOfCells",
		},
		{
			ID: "cells/same", Defence: "a worker does not change the policy, the tools or the origin of a session",
			File: elsewhere, Old: "if after.Origin != e.has.Origin || ", New: "if false && after.Origin != e.has.Origin || ",
			Package: sessions, Test: "TestLiesOfCells",
		},
		{
			ID: "cells/names", Defence: "names of variables that a worker sends are bounded",
			File: elsewhere, Old: "if err := after.checkNames(); err != nil {", New: "if err := after.checkNames(); false {",
			Package: sessions, Test: "TestLiesOfCells",
		},
		{
			ID: "cells/older", Defence: "a worker that has something older of a session loads it again",
			File: "cmd/sandtrapd/internal/sessions/worker.go", Old: "l != nil && (l.head != ", New: "l != nil && false && (l.head != ",
			Package: sessions, Test: "TestElsewhere",
		},
		{
			ID: "cells/once", Defence: "a cell that is done again by the server prints what clients do not have yet",
			File: "cmd/sandtrapd/internal/runs/job.go", Old: "&skipping{l.stdout, told.Stdout}", New: "&skipping{l.stdout, 0}",
			Package: sessions, Test: "TestLargeElsewhere",
		},
		{
			ID: "cells/live", Defence: "the sessions that a worker has are bounded",
			File: "cmd/sandtrapd/internal/sessions/worker.go", Old: "New(Options{Live: live})", New: "New(Options{Live: 100 * live})",
			Package: sessions, Test: "TestWorkerLetsGo",
		},
		{
			ID: "cells/given", Defence: "a worker gets no more bytes than the session of its job has",
			File: contents, Old: "if n > maxGive || g.bytes > g.job.Cell.Bytes || ", New: "if n > maxGive || ",
			Package: cluster, Test: "TestLiesOfContents",
		},
		{
			ID: "cells/part", Defence: "a worker that wants what is no part of a content does not end the server",
			File: contents, Old: "if p.From > int64(len(g.data))-p.N {", New: "if false {",
			Package: cluster, Test: "TestLiesOfContents", Crash: "slice bounds out of range",
		},
		{
			ID: "cells/hash", Defence: "a worker checks contents that come by their hashes",
			File: contents, Old: "if sha256.Sum256(all[i]) != c.Hash {", New: "if sha256.Sum256(all[i]) != c.Hash && false {",
			Package: cluster, Test: "TestForged",
		},
		{
			ID: "cells/became", Defence: "what a session has become by a job is checked before it is an outcome",
			File: "cmd/sandtrapd/internal/dispatch/queue.go", Old: "if err := out.Became(o.Become); err != nil {", New: "if err := out.Became(o.Become); false {",
			Package: cluster, Test: "TestCluster",
		},
		{
			ID: "cells/size", Defence: "a session that is larger than workers take is not sent to one",
			File: "cmd/sandtrapd/internal/cluster/near.go", Old: "c != nil && c.Bytes > dispatch.MaxCell {", New: "c != nil && false {",
			Package: cluster, Test: "TestLargeSession",
		},
	}
}
