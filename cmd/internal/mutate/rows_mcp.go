package mutate

// mcpRows are defences of the service where it is a server of MCP.
func mcpRows() []Mutation {
	const pkg, dir = "./cmd/sandtrapd/internal/mcpserver", "cmd/sandtrapd/internal/mcpserver/"
	return []Mutation{
		{
			ID: "mcp/session-of-another", Defence: "a session of the protocol is that of the tenant who has begun it",
			File: dir + "http.go", Old: "	c := h.tenants[name]\n", New: "	name = \"\"\n	c := h.tenants[name]\n",
			Package: pkg, Test: "TestForeignSession",
		},
		{
			ID: "mcp/name-of-another", Defence: "the name of a session means one of the tenant who says it",
			File: dir + "sessions.go", Old: "store.Page{Tenant: tenant, Name", New: `store.Page{Tenant: "alpha", Name`,
			Package: pkg, Test: "TestNamesOfAnother",
		},
		{
			ID: "mcp/state-of-another", Defence: "a request state is nothing to another tenant",
			File: dir + "run.go", Old: "r, err := t.Runs.Get(ctx, t.name, state)", New: "r, err := t.Runs.Get(ctx, store.All, state)",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "mcp/state-of-other-code", Defence: "a request state goes with the call that it was given to",
			File: dir + "run.go", Old: "return r.Source() == in.Code", New: "return true",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "mcp/state-of-other-run", Defence: "nor does that of one run go with answers to another",
			File: dir + "run.go", Old: "return state == in.Run", New: "return true",
			Package: pkg, Test: "TestForeign",
		},
		{
			ID: "mcp/model-approves", Defence: "a model does not approve its own call where the client can ask the user",
			File: dir + "run.go", Old: `in.Answers[i].Verdict != "" && elicits(req)`, New: "false && elicits(req)",
			Package: pkg, Test: "TestApproval",
		},
		{
			ID: "mcp/no-verdict", Defence: "a form without a verdict approves nothing",
			File: dir + "ask.go", Old: `return a.Verdict == "approve" || a.Verdict == "deny"`, New: `a.Verdict = cmp.Or(a.Verdict, "approve")` + "\n		return true",
			Package: pkg, Test: "TestNoVerdict",
		},
		{
			ID: "mcp/shown-arguments", Defence: "arguments are shown to who approves so that none looks like something else",
			File: dir + "ask.go", Old: "cut(plaintext.Line(args.String()), maxShown)", New: "cut(args.String(), maxShown)",
			Package: pkg, Test: "TestApproval",
		},
		{
			ID: "mcp/policy-of-another", Defence: "a policy of other tenants that an address names is one that is absent",
			File: dir + "policy.go", Old: "set.Resolve(ctx, tenant, policy)", New: "set.Resolve(ctx, policies.Everyone, policy)",
			Package: pkg, Test: "TestPolicyOfAnother",
		},
		{
			ID: "mcp/policy-of-address", Defence: "scripts of a client run under the policy that its address names",
			File: dir + "policy.go", Old: "own.Policies = []string{policy}", New: "own.Policies = nil",
			Package: pkg, Test: "TestPolicyOfAddress",
		},
		{
			ID: "mcp/policy-of-model", Defence: "a model takes none but the policies that its client has",
			File: dir + "run.go", Old: `in.Policy != "" && !slices.Contains(t.Policies, in.Policy)`, New: `in.Policy != "" && !slices.Contains(append(t.Policies, in.Policy), in.Policy)`,
			Package: pkg, Test: "TestPolicyOfAddress",
		},
		{
			ID: "mcp/abandoned", Defence: "a call that is cancelled ends its run",
			File: dir + "run.go", Old: "		r.Abandon()\n", New: "",
			Package: pkg, Test: "TestProgress/2026-07-28",
		},
		{
			ID: "mcp/request-cancelled", Defence: "so does a client that is gone",
			File: dir + "http.go", Old: "PropagateRequestCancellation: true", New: "PropagateRequestCancellation: false",
			Package: pkg, Test: "TestProgress/2026-07-28",
		},
		{
			ID: "mcp/methods", Defence: "methods that the server has not declared are refused",
			File: dir + "server.go", Old: "	s.AddReceivingMiddleware(onlyMethods)\n", New: "	_ = onlyMethods\n",
			Package: pkg, Test: "TestMalformed",
		},
		{
			ID: "mcp/no-session", Defence: "a call of a protocol with a handshake has a session, by which it can be cancelled",
			File: dir + "http.go", Old: `case head.Method != "initialize":`, New: `case head.Method == "":`,
			Package: pkg, Test: "TestNoSession",
		},
		{
			ID: "mcp/body", Defence: "the body of a request is bounded",
			File: dir + "http.go", Old: "io.ReadAll(http.MaxBytesReader(w, q.Body, maxBody))", New: "io.ReadAll(q.Body)",
			Package: pkg, Test: "TestEndlessBody",
		},
		{
			ID: "mcp/line", Defence: "a message on stdio is bounded",
			File: dir + "server.go", Old: "Writer: out, MaxLineLength: maxLine", New: "Writer: out",
			Package: pkg, Test: "TestLine",
		},
		{
			ID: "mcp/arguments", Defence: "arguments of a call are bounded",
			File: dir + "server.go", Old: "len(req.Params.Arguments) > maxArgs", New: "len(req.Params.Arguments) < 0",
			Package: pkg, Test: "TestHuge",
		},
		{
			ID: "mcp/calls", Defence: "calls that go on at a time are bounded",
			File: dir + "server.go", Old: "t.calls.Add(1) > maxCalls", New: "t.calls.Add(1) < 0",
			Package: pkg, Test: "TestCalls",
		},
		{
			ID: "mcp/streams", Defence: "requests and streams of a tenant are bounded",
			File: dir + "http.go", Old: " || c.streams >= maxStreams", New: "",
			Package: pkg, Test: "TestStreams",
		},
		{
			ID: "mcp/all-streams", Defence: "those of all tenants are bounded",
			File: dir + "http.go", Old: "h.streams >= maxAllStreams || ", New: "",
			Package: pkg, Test: "TestAllStreams",
		},
		{
			ID: "mcp/sessions", Defence: "sessions of a tenant are bounded",
			File: dir + "http.go", Old: "c.opening+len(c.sessions()) >= maxSessions", New: "c.opening < 0",
			Package: pkg, Test: "TestFloods",
		},
		{
			ID: "mcp/idle", Defence: "a session that nobody uses ends",
			File: dir + "http.go", Old: "SessionTimeout: idle, ", New: "",
			Package: pkg, Test: "TestIdle",
		},
		{
			ID: "mcp/policies", Defence: "servers that are kept for the policies of a tenant are bounded",
			File: dir + "http.go", Old: "	if len(c.webs) >= maxPolicies {\n		return nil,", New: "	if len(c.webs) < 0 {\n		return nil,",
			Package: pkg, Test: "TestPolicies",
		},
		{
			ID: "mcp/forgotten", Defence: "a server with a session that is open is not given up",
			File: dir + "http.go", Old: "if !w.hasSessions() {", New: "if w != nil {",
			Package: pkg, Test: "TestPolicies",
		},
		{
			ID: "mcp/closed", Defence: "a server that ends takes no more requests",
			File: dir + "http.go", Old: "	if h.closed {\n", New: "	if h == nil {\n",
			Package: pkg, Test: "TestClosed",
		},
		{
			ID: "mcp/progress", Defence: "a script that prints without end sends progress at a bounded rate",
			File: dir + "run.go", Old: "time.After(progressEvery)", New: "time.After(0)",
			Package: pkg, Test: "TestPace",
		},
		{
			ID: "mcp/progress-size", Defence: "and no more than so much at a time",
			File: dir + "run.go", Old: "return cut(string(text), maxProgress)", New: "return string(text)",
			Package: pkg, Test: "TestPace",
		},
		{
			ID: "mcp/text", Defence: "the text that a model reads of a run is bounded",
			File: dir + "result.go", Old: "cut(text, maxText)", New: "text",
			Package: pkg, Test: "TestLongOutput",
		},
		{
			ID: "mcp/file", Defence: "a file that is read is bounded",
			File: dir + "files.go", Old: "case len(data) > maxFile:", New: "case len(data) < 0:",
			Package: pkg, Test: "TestSessions",
		},
		{
			ID: "mcp/search", Defence: "a search is bounded",
			File: dir + "files.go", Old: "len(in.Query) > longest || in.Limit < 1 || in.Limit > maxHits", New: "len(in.Query) < 0",
			Package: pkg, Test: "TestSearch",
		},
		{
			ID: "mcp/misspelt", Defence: "an argument that there is not is an error",
			File: dir + "server.go", Old: "	dec.DisallowUnknownFields()\n", New: "",
			Package: pkg, Test: "TestRun",
		},
		{
			ID: "mcp/fault", Defence: "a fault of the server is told of in its log alone",
			File: dir + "server.go", Old: `Message: "the server could not do it; its log says why"`, New: "Message: err.Error()",
			Package: pkg, Test: "TestFault",
		},
		{
			ID: "mcp/cached", Defence: "no cache that others use keeps what a tenant sees",
			File: dir + "server.go", Old: `c.CacheScope = "private"`, New: `c.CacheScope = "public"`,
			Package: pkg, Test: "TestCacheScope",
		},
	}
}
