package mutate

// serviceRows are defences of the service, which is a module of its own.
func serviceRows() []Mutation {
	return []Mutation{
		{
			ID: "service/run-of-another", Defence: "a run is that of the tenant who asks, also while it goes on",
			File: "cmd/sandtrapd/internal/store/run.go", Old: `"run INDEXED BY run_owner WHERE tenant = ? AND id = ?", tenant, id`, New: `"run WHERE ? != '' AND id = ?", tenant, id`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRun",
		},
		{
			ID: "service/answer-fits", Defence: "an answer that does not fit its call is refused before the run goes on",
			File: "cmd/sandtrapd/internal/runs/change.go", Old: "return box.Tools.Check(p.Name, a.Value)", New: "return nil",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTools",
		},
		{
			ID: "service/session-of-another", Defence: "a session is that of the tenant who asks",
			File: "cmd/sandtrapd/internal/store/session.go", Old: "FROM session WHERE id = ? AND tenant = ?`, id, tenant).Scan)", New: "FROM session WHERE id = ? AND ? != ''`, id, tenant).Scan)",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTenancyOfSessions",
		},
		{
			ID: "service/snapshot-of-another-session", Defence: "a session gets what a snapshot of it has, and of no other session",
			File: "cmd/sandtrapd/internal/sessions/snapshots.go", Old: "man.Origin != row.Origin || ", New: "",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestSnapshotOverHTTP",
		},
		{
			ID: "service/content-hash", Defence: "a content is the one that its hash names",
			File: "cmd/sandtrapd/internal/store/blob.go", Old: "err == nil && HashOf(data) != hash", New: "err == nil && false",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestEditedRows",
		},
		{
			ID: "service/file-path", Defence: "a path of a file leads nowhere but below the working directory",
			File: "cmd/sandtrapd/internal/sessions/manifest.go", Old: `!fs.ValidPath(p) || p == "."`, New: `p == "."`,
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestPaths", Crash: "stack overflow",
		},
		{
			ID: "service/cell-in-parts", Defence: "what cannot be kept of a session is not kept in part",
			File: "cmd/sandtrapd/internal/sessions/cell.go", Old: "		t.m.lose(t.seat, l)\n		t.m.done(t.seat)\n		lost(", New: "		t.m.done(t.seat)\n		lost(",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestTooMuchToKeep",
		},
	}
}
