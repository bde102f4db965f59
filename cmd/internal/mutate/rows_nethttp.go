package mutate

// nethttpRows are the defences of package net/http of scripts.
func nethttpRows() []Mutation {
	const pkg = "./sandtrap/sandtraptest/nettest"
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "nethttp/" + id, Defence: defence, File: file, Old: was, New: now, Package: pkg, Test: test}
	}
	served := func(id, defence, file, was, now, test string) Mutation {
		m := row(id, defence, "sandtrap/internal/network/"+file, was, now, test)
		m.Package = "./sandtrap/internal/network"
		return m
	}
	return []Mutation{
		served("share", "the requests of a worker are bounded", "served.go", `	case s.count >= maxRequests:`, `	case s.count < 0:`, "TestLyingShare"),
		served("storm", "a request counts until its transport has returned", "served.go", `	r.cancel()
	if r.body`, `	r.cancel()
	s.mu.Lock()
	s.count--
	s.mu.Unlock()
	if r.body`, "TestLyingShare"),
		served("heads", "the headers of a worker's requests are bounded together, before they are made", "served.go",
			`	case s.heads+r.head > maxHeads:`, `	case s.heads < 0:`, "TestLyingHeaders"),
		served("names", "a header counts what it takes in memory", "message.go", ` + fieldSize*h.Header.count()`, ``, "TestLyingHeaders"),
		served("busy", "one operation is done at a time for a request", "served.go", `	case r.busy:`, `	case false:`, "TestLyingOrder"),
		served("part", "a part of a body is small", "served.go", `	if len(op.Data) > part {`, `	if op.Data == nil && len(op.Data) > part {`, "TestLyingOrder"),
		served("twice", "a number is that of one request", "served.go", `	case s.requests[id] != nil:`, `	case s.requests == nil:`, "TestLyingOrder"),
		served("closed", "no request is begun after the end of its run", "served.go", `	case s.closed:
		return nil, egress.ErrClosed
`, ``, "TestLyingOrder"),
		row("tenant", "requests of a worker are those of the tenant of its run", "sandtrap/internal/network/served.go",
			`s.network.Open(decide.SubjectOf(ctx), `, `s.network.Open(decide.Subject{}, `, "TestTenants/process"),
		row("tenant-here", "requests of a script are those of the tenant of its run", "sandtrap/internal/network/open.go",
			`n.Open(decide.SubjectOf(ctx), `, `n.Open(decide.SubjectOf(context.Background()), `, "TestTenants/none"),
		row("user", "the user of a URL is sent as Go's client sends it, or not at all", "builtins/internal/shim/http/transport.go",
			`	u.User = nil // Go`, `	// Go`, "TestSameAsGo"),
		{
			ID: "nethttp/held", Defence: "the host holds nothing of a call that is not needed any more", File: "isolate/receive.go",
			Old: `	m.Body = nil // what`, New: `	// what`, Package: "./isolate", Test: "TestCallsHoldNothing",
		},
		{
			ID: "nethttp/yaegi", Defence: "engine yaegi, whose scripts call methods of the package itself, has no network", File: "sandtrap/plan.go",
			Old: `		if p.Network != nil {
			return nil, policyError(`, New: `		if false {
			return nil, policyError(`, Package: "./sandtrap", Test: "TestEveryPolicyField",
		},
		{
			ID: "nethttp/durable", Defence: "a run that is done again from its journal makes no request", File: "sandtrap/durable/policy.go",
			Old: `	if p.Network != nil {`, New: `	if false {`, Package: "./sandtrap/durable", Test: "TestRefusedPolicies",
		},
		row("transport", "a client of a script has the transport of its run, and never that of Go", "builtins/internal/shim/http/client.go",
			`own := &http.Client{Transport: t, CheckRedirect`, `_ = t
	own := &http.Client{CheckRedirect`, "TestNoWayAround"),
		row("over", "requests of a worker end with its run", "sandtrap/remote_call.go", `	c.network.Close()
`, ``, "TestNothingOutlives/never_closed"),
		row("field", "the client of net/http is there only if the policy has a network", "sandtrap/tables.go",
			`	if p.Network == nil {
		pkg =`, `	if false {
		pkg =`, "TestWithoutNetwork"),
		row("log", "cookies of scripts write nothing to the log of the host", "builtins/internal/shim/http/request.go",
			`r.AddCookie(silent(c))`, `r.AddCookie(c)`, "TestSilent"),
	}
}

// handlerRows are the defences of handlers of scripts.
func handlerRows() []Mutation {
	const pkg = "./sandtrap/handler"
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "handler/" + id, Defence: defence, File: file, Old: was, New: now, Package: pkg, Test: test}
	}
	return []Mutation{
		row("disk", "forms of scripts write no files of the host's", "builtins/internal/shim/http/form.go",
			`r.ParseMultipartForm(math.MaxInt64)`, `r.ParseMultipartForm(math.MaxInt64 * 0)`, "TestNoFilesOfTheHost/none"),
		row("shared", "a script gets a copy of the header of a request", "sandtrap/handler/handler.go",
			`r.Header.Clone()`, `r.Header`, "TestKept/none"),
		row("depth", "handlers within handlers are counted where the host calls them", "builtins/internal/shim/http/handler.go",
			`		e.Check()
		e.Enter()
		defer e.Leave()
		h.ServeHTTP(w, r)`, `		e.Check()
		h.ServeHTTP(w, r)`, "TestHostile/none"),
		row("closers", "bodies within bodies are counted where the host closes them", "builtins/internal/shim/http/form.go",
			`	b.Env.Enter()
	defer b.Env.Leave()
	return b.closer`, `	return b.closer`, "TestHostile/none"),
		row("clean", "no line end of a script is in the header of a response", "sandtrap/handler/message.go",
			`r < ' ' && r != '\t' || r == 0x7f`, `false`, "TestClean"),
		row("connection", "fields about the connection are the host's", "sandtrap/handler/message.go",
			`slices.Contains(ofConnection, field)`, `len(ofConnection) == 0 && slices.Contains(ofConnection, "")`, "TestClean"),
		row("length", "a response has one length that everybody reads alike", "sandtrap/handler/message.go",
			`field == contentLength && !(name == field && isLength(values))`, `field == contentLength && len(values) == 0 && !isLength(values)`, "TestFraming"),
		row("room", "a response has a bound while it is made", "sandtrap/handler/handler.go",
			`r.length(), h.o.MaxResponse)`, `r.length(), int64(1<<62))`, "TestHostile/none"),
		row("yaegi", "engine yaegi has nothing of net/http", "sandtrap/tables.go",
			`whole || p.Engine == "yaegi" &&`, `whole || false &&`, "TestYaegi"),
		row("waiting", "requests that wait are bounded", "sandtrap/handler/handler.go",
			`make(chan struct{}, 1+o.Waiting)`, `make(chan struct{}, 1000+o.Waiting)`, "TestWaiting"),
	}
}
