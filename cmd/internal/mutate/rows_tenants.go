package mutate

// tenantRows are defences of the tenants of the service, and of its limits.
func tenantRows() []Mutation {
	return []Mutation{
		{
			ID: "keys/malformed", Defence: "a malformed line of a file of keys is an error",
			File: "cmd/sandtrapd/internal/keys/keys.go", Old: `			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if first`, New: `			continue
		}
		if first`,
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestMalformed",
		},
		{
			ID: "keys/short", Defence: "a token of a file that could be guessed is refused",
			File: "cmd/sandtrapd/internal/keys/keys.go", Old: "len(token) < minToken ||", New: "",
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestMalformed",
		},
		{
			ID: "keys/twice", Defence: "a token belongs to one tenant",
			File: "cmd/sandtrapd/internal/keys/keys.go", Old: "first := seen[key.Hash]; first > 0", New: "first := seen[key.Hash]; first > 1<<20",
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestMalformed",
		},
		{
			ID: "keys/readable", Defence: "a file of keys that others may read is refused",
			File: "cmd/sandtrapd/internal/keys/keys.go", Old: "trustedfile.ReadSecret(path)", New: "trustedfile.Read(path)",
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestRead",
		},
		{
			ID: "keys/revoked", Defence: "a key that is removed ends what goes on with it",
			File: "cmd/sandtrapd/internal/keys/ring.go", Old: "h.revoke(ErrRevoked)", New: "_ = h",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestKeys",
		},
		{
			ID: "keys/waits", Defence: "a request that goes on ends with its key",
			File: "cmd/sandtrapd/internal/api/roles.go", Old: "stop := context.AfterFunc(key.Revoked(), func() { cancel(context.Cause(key.Revoked())) })", New: "stop := func() {}",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestKeys",
		},
		{
			ID: "keys/file", Defence: "a key of the file is removed there alone",
			File: "cmd/sandtrapd/internal/keys/ring.go", Old: "case gone.File:", New: `case gone.File && evenLast && id == "":`,
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestSetFile",
		},
		{
			ID: "keys/last", Defence: "the last admin key stays",
			File: "cmd/sandtrapd/internal/keys/ring.go", Old: "gone.Role == Admin && !evenLast &&", New: "gone.Role == Admin && evenLast &&",
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestLastAdmin",
		},
		{
			ID: "keys/at-once", Defence: "keys are changed one at a time",
			File: "cmd/sandtrapd/internal/keys/ring.go", Old: `bool, forget func(Key) error) error {
	r.change.Lock()
	defer r.change.Unlock()
`, New: "bool, forget func(Key) error) error {\n",
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestLastAdmin",
		},
		{
			ID: "tenants/live", Defence: "a run that goes on is that of its tenant",
			File: "cmd/sandtrapd/internal/runs/steps.go", Old: "l != nil && (tenant == store.All || tenant == l.row.Tenant)", New: "l != nil",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTenancy",
		},
		{
			ID: "tenants/artifact", Defence: "an artifact is that of its tenant",
			File: "cmd/sandtrapd/internal/store/run.go", Old: "WHERE tenant = ? AND run = ? AND name = ?`, tenant", New: "WHERE ? != '' AND run = ? AND name = ?`, tenant",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTenancy",
		},
		{
			ID: "tenants/paths", Defence: "a path that is not clean is answered as one that is absent",
			File: "cmd/sandtrapd/internal/api/guard.go", Old: "if !clean(q.URL.Path) {", New: `if q.URL.Path == "" {`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTenancy",
		},
		{
			ID: "tenants/list", Defence: "a user lists the runs of its tenant alone",
			File: "cmd/sandtrapd/internal/api/roles.go", Old: "case !c.key.Role.May(keys.Operator):", New: `case name == "":`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRoles",
		},
		{
			ID: "tenants/operator", Defence: "an operator changes no run of another tenant",
			File: "cmd/sandtrapd/internal/api/roles.go", Old: "return c.orAll(keys.Admin)", New: "return c.orAll(keys.Operator)",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRoles",
		},
		{
			ID: "tenants/user", Defence: "a user sees the runs of its tenant alone",
			File: "cmd/sandtrapd/internal/api/roles.go", Old: "return c.orAll(keys.Operator)", New: "return c.orAll(keys.User)",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTenancy",
		},
		{
			ID: "limits/pending", Defence: "runs that wait, and those that can come to that, are bounded",
			File: "cmd/sandtrapd/internal/limits/set.go", Old: "used+n > l.PendingRuns", New: "used > l.PendingRuns+990",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestLimits/pending",
		},
		{
			ID: "limits/counted", Defence: "a run that goes on counts as one that waits until what became of it is on disk",
			File: "cmd/sandtrapd/internal/limits/slot.go", Old: "\ts.tenant.waiting++\n", New: "",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestLimits/pending",
		},
		{
			ID: "limits/minute", Defence: "runs in a minute are bounded",
			File: "cmd/sandtrapd/internal/limits/set.go", Old: "if t.begun.AllowN(now, n) {", New: "if !now.IsZero() {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestLimits/per_minute",
		},
		{
			ID: "limits/at-once", Defence: "runs at a time are bounded",
			File: "cmd/sandtrapd/internal/limits/set.go", Old: "t.running >= l.RunsAtOnce", New: "t.running < 0",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestRunsAtOnce",
		},
		{
			ID: "limits/bytes", Defence: "the bytes that are kept are bounded",
			File: "cmd/sandtrapd/internal/store/usage.go", Old: "if n > quota {", New: "if n < 0 {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestBytes",
		},
		{
			ID: "limits/forks", Defence: "forks count as runs that wait",
			File: "cmd/sandtrapd/internal/limits/set.go", Old: `name, n); err != nil {
		return nil, err`, New: `name, 0); err != nil {
		return nil, err`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestForks",
		},
		{
			ID: "limits/seconds", Defence: "the time that runs take in an hour is bounded, across restarts",
			File: "cmd/sandtrapd/internal/store/run.go", Old: "return spend(tx, r.Tenant, r.Spent)", New: "return nil",
			Package: "./cmd/sandtrapd/internal/limits", Test: "TestRunSeconds",
		},
		{
			ID: "limits/turn", Defence: "a run whose turn comes when the time is used up does not go on",
			File: "cmd/sandtrapd/internal/runs/live.go", Old: "if err := l.slot.Turn(); err != nil && l.row.Batch", New: "if err := l.slot.Turn(); false && l.row.Batch",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestTurn",
		},
		{
			ID: "limits/typo", Defence: "a limit that there is not is an error",
			File: "cmd/sandtrapd/internal/limits/table.go", Old: "return policyfile.Known(what, key, value, limits)", New: "if set := limits[key.Value]; set != nil { return set(value) }; return nil",
			Package: "./cmd/sandtrapd/internal/limits", Test: "TestMalformed",
		},
		{
			ID: "retention/referenced", Defence: "a run that has a fork stays",
			File: "cmd/sandtrapd/internal/store/retain.go", Old: "fork.parent = run.id AND", New: "fork.parent = run.id AND FALSE AND",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestRetain",
		},
		{
			ID: "retention/state", Defence: "a run that goes on is not removed",
			File: "cmd/sandtrapd/internal/store/retain.go", Old: "INDEXED BY run_ended WHERE ended > 0 AND ended < ?", New: "WHERE created < ?",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestRetain",
		},
		{
			ID: "retention/free", Defence: "pages that are free are given back",
			File: "cmd/sandtrapd/internal/store/store.go", Old: `dsn+"&_pragma=auto_vacuum(incremental)"`, New: "dsn",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestRetainBetween",
		},
		{
			ID: "retention/replaced", Defence: "an artifact that gives way to another one is not counted any more",
			File: "cmd/sandtrapd/internal/store/store.go", Old: "_pragma=recursive_triggers(on)&", New: "",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestBytes",
		},
		{
			ID: "service/rebinding", Defence: "a name that leads to this machine makes no page one of this server",
			File: "cmd/sandtrapd/internal/api/guard.go", Old: "if !s.answersTo(q) {", New: "if s == nil {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestOrigins",
		},
		{
			ID: "service/origin", Defence: "a page of another origin changes nothing",
			File: "cmd/sandtrapd/internal/api/guard.go", Old: "\tnext = origin.Handler(next)\n", New: "\t_ = origin\n",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestOrigins",
		},
		{
			ID: "service/slow-body", Defence: "a body that does not come ends the request",
			File: "cmd/sandtrapd/internal/pace/pace.go", Old: "_ = r.out.SetReadDeadline(time.Now().Add(body)) // a recorder in a test has none", New: "_ = body",
			Package: "./cmd/sandtrapd/internal/pace", Test: "TestBodyThatNobodyReads",
		},
		{
			ID: "service/slow-page", Defence: "nor does one of a page, which reads none, keep its connection",
			File: "cmd/sandtrapd/internal/page/site.go", Old: "return pace.Handler(mux, slow)", New: "_ = slow\n\treturn mux",
			Package: "./cmd/sandtrapd/internal/page", Test: "TestSlowBody",
		},
		{
			ID: "service/slow-reader", Defence: "a client that reads no response is given up",
			File: "cmd/sandtrapd/internal/pace/pace.go", Old: "_ = r.out.SetWriteDeadline(time.Now().Add(r.part))", New: "_ = r.part",
			Package: "./cmd/sandtrapd/internal/pace", Test: "TestNobodyReads",
		},
		{
			ID: "service/large", Defence: "a body is bounded",
			File: "cmd/sandtrapd/internal/api/server.go", Old: "c.q.Body = http.MaxBytesReader(w, c.q.Body, bodyBound(r))", New: "_ = w",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestLarge",
		},
		{
			ID: "service/twice", Defence: "an object with a name twice is refused",
			File: "cmd/sandtrapd/internal/api/body.go", Old: "if names[name] {", New: `if name == "" {`,
			Package: "./cmd/sandtrapd/internal/api", Test: "TestMalformedBodies",
		},
		{
			ID: "service/case", Defence: "a field has its name as it is written, so that no two spellings of one are taken",
			File: "cmd/sandtrapd/internal/api/body.go", Old: "if fields && strings.ContainsFunc(", New: "if fields && name == \"\" && strings.ContainsFunc(",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestMalformedBodies",
		},
		{
			ID: "service/nested", Defence: "the nesting of a body is bounded",
			File: "cmd/sandtrapd/internal/api/body.go", Old: "if depth == maxNesting {", New: "if depth < 0 {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestMalformedBodies",
		},
		{
			ID: "service/utf8", Defence: "a body that is not UTF-8 is refused",
			File: "cmd/sandtrapd/internal/api/body.go", Old: "if !utf8.Valid(text) {", New: "if !utf8.Valid(nil) {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestMalformedBodies",
		},
	}
}
