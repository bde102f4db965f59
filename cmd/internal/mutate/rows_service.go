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
			File: "cmd/sandtrapd/internal/store/session.go", Old: "FROM session `+sessionOwner+` WHERE id = ? AND tenant = ?`, id, tenant).Scan)", New: "FROM session WHERE id = ? AND ? != ''`, id, tenant).Scan)",
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
		{
			ID: "service/session-name", Defence: "a tool of MCP that names no session does not get the newest one",
			File: "cmd/sandtrapd/internal/mcpserver/sessions.go", Old: `if name == "" {`, New: "if false {",
			Package: "./cmd/sandtrapd/internal/mcpserver", Test: "TestNoName",
		},
		{
			ID: "service/tar-directories", Defence: "the directories that paths of a tar are in are bounded as they are listed",
			File: "cmd/sandtrapd/internal/sessions/manifest.go", Old: "case !found && len(m.Entries) >= MaxFiles:", New: "case false:",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestManyDirectories",
		},
		{
			ID: "service/clone-held", Defence: "files of a clone count among those on their way",
			File: "cmd/sandtrapd/internal/sessions/fill.go", Old: "h.grow(info.Size())", New: "h.grow(0)",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestFillHeld",
		},
		{
			ID: "service/not-cached", Defence: "no cache keeps what a tenant has",
			File: "cmd/sandtrapd/internal/api/server.go", Old: `w.Header().Set("Cache-Control", "no-store")`, New: `w.Header().Del("Cache-Control")`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestNotCached",
		},
		{
			ID: "service/client-redirect", Defence: "the client takes its key to no other server",
			File: "cmd/sandtrapd/client/client.go", Old: "client.CheckRedirect = notFollowed", New: "_ = notFollowed",
			Package: "./cmd/sandtrapd/client", Test: "TestRedirects",
		},
		{
			ID: "service/client-event", Defence: "an event of many lines is bounded in the client",
			File: "cmd/sandtrapd/client/stream.go", Old: "left -= len(line) + 1; left < 0", New: "left -= len(line) + 1; false",
			Package: "./cmd/sandtrapd/client", Test: "TestEndlessEvent",
		},
		{
			ID: "service/answer-kept", Defence: "an answer that was acknowledged is used after the server was killed",
			File: "cmd/sandtrapd/internal/runs/recover.go", Old: "m.resume(l, in, answers) }, in", New: "m.resume(l, in, nil) }, in",
			Package: "./cmd/sandtrapd/internal/cli", Test: "TestKilledCells",
		},
		{
			ID: "service/session-held", Defence: "while a run waits in a session no other changes it",
			File: "cmd/sandtrapd/internal/sessions/queue.go", Old: `row.Waits != "" && row.Waits != run`, New: "false",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestHeld",
		},
		{
			ID: "service/session-rules", Defence: "a session has no rules that would let calls pass when it has forgotten earlier ones",
			File: "cmd/sandtrapd/internal/sessions/sessions.go", Old: "case box.NeedsState():", New: "case false:",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestRulesOfASession",
		},
		{
			ID: "service/shared-contents", Defence: "a session that shares its contents changes nothing of the others'",
			File: "cmd/sandtrapd/internal/store/holder.go", Old: "if holder = before; own != 1 {", New: "if holder = before; own < 1 {",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestSharedHolder",
		},
		{
			ID: "service/staged-noted", Defence: "what is written of a session before it is its own is removed if the server is killed",
			File: "cmd/sandtrapd/internal/store/stage.go", Old: "err := s.mine(k.Tenant, holder); err != nil", New: "err := error(nil); err != nil",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestStagedIsLoose",
		},
		{
			ID: "service/deleted-run", Defence: "a run that has not ended is not deleted",
			File: "cmd/sandtrapd/internal/store/run.go", Old: "case err == nil && !state.Over():", New: "case false:",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestDeleteRun",
		},
		{
			ID: "service/rates-of-another", Defence: "a tenant uses up no rates of another one",
			File: "cmd/sandtrapd/internal/plans/decide.go", Old: "key := spender{tenant, ref}", New: `key := spender{"", ref}`,
			Package: "./cmd/sandtrapd/internal/plans", Test: "TestRatesByTenant",
		},
		{
			ID: "service/budget-of-another", Defence: "runs that are counted apart have budgets of their own",
			File: "sandtrap/guard/counts.go", Old: "c.budget = NewBudget(b.limit)", New: "c.budget = b",
			Package: "./sandtrap/guard", Test: "TestCounts",
		},
		{
			ID: "service/files-with-variables", Defence: "files and variables of a session are kept together",
			File: "cmd/sandtrapd/internal/sessions/live.go", Old: "	after.Entries, err = list(l.tree, had, new)", New: "	_, err = list(l.tree, had, new)\n\tafter.Entries = l.has.Entries",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestNeverTorn",
		},
		{
			ID: "service/unknown-policy", Defence: "a policy that there is not is an error, and not the default",
			File: "cmd/sandtrapd/internal/policies/catalog.go", Old: "	case !c.isSentTo(tenant, of):\n		return nil, ErrUnknown", New: "	case !c.isSentTo(tenant, of):\n		return c.newest(ctx, tenant, Default)",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestPolicyDroppedIn",
		},
		{
			ID: "service/denied-span", Defence: "an exporter is told of calls that were denied",
			File: "cmd/sandtrapd/internal/telemetry/spans.go", Old: "_ = s.decisions.Write(e)", New: "_ = e.Decision == record.Deny || s.decisions.Write(e) == nil",
			Package: "./cmd/sandtrapd/internal/telemetry", Test: "TestSpanOfEachDecision",
		},
		{
			ID: "service/span-arguments", Defence: "no argument of a call is exported",
			File: "otelrecord/otelrecord.go", Old: `{"by", e.By}`, New: `{"by", string(e.Args)}`,
			Package: "./cmd/sandtrapd/internal/telemetry", Test: "TestSpanOfEachDecision",
		},
		{
			ID: "service/upstream-schema", Defence: "no schema of an upstream server ends this one",
			File: "cmd/sandtrapd/internal/upstream/schema.go", Old: "		return got // false if nothing fits", New: "		out, _ := got.(object)\n		return out",
			Package: "./cmd/sandtrapd/internal/upstream", Test: "TestReferenceToFalse", Crash: "nil pointer dereference",
		},
		{
			ID: "service/on-disk", Defence: "a change that was acknowledged is on disk, also one after a change that need not be yet",
			File: "cmd/sandtrapd/internal/store/tx.go", Old: "\tif on {\n", New: "\tif false {\n",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestOnDisk",
		},
	}
}
