package mutate

// netguardRows are the defences of requests that a guard decides about, and of secrets of scripts.
func netguardRows() []Mutation {
	const pkg = "./sandtrap/sandtraptest/nettest"
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "netguard/" + id, Defence: defence, File: file, Old: was, New: now, Package: pkg, Test: test}
	}
	return []Mutation{
		row("local", "without isolation the guard decides about each request", "sandtrap/runenv.go",
			`network.Opener(s.plan.policy.Network, s.plan.guards.Requests)`, `network.Opener(s.plan.policy.Network, false)`, "TestGuardRefuses/none"),
		row("served", "the guard decides about each request of a worker, in the host", "sandtrap/remote_call.go",
			`network.NewServed(p.policy.Network, p.guards.Requests)`, `network.NewServed(p.policy.Network, false)`, "TestGuardRefuses/process"),
		row("list", "nobody is asked about a request that the gate refuses", "sandtrap/guard/run.go",
			`	if d.stack = r.session.gate.stack.Load(); refused != nil {
		err = refused
	} else {`, `	if d.stack = r.session.gate.stack.Load(); false {
		err = refused
	} else {`, "TestRequestsInRecord/none"),
		row("query", "the query of a request is in no record", "sandtrap/internal/guarded/requests.go",
			`Unrecorded: []string{"query"}`, `Unrecorded: []string{}`, "TestRequestsInRecord/none"),
		row("after", "the record of a run has the ends of its requests before its own", "sandtrap/egress/run.go",
			`	r.open.Wait()
`, ``, "TestRequestsInRecord"),
		{ID: "egress/givenup", Defence: "a connection that is being made ends with its request", File: "sandtrap/egress/dial.go",
			Old: `defer context.AfterFunc(of, cancel)()`, New: `_ = of`, Package: "./sandtrap/egress", Test: "TestGivenUp"},
		{ID: "egress/announced", Defence: "the names of trailers that a server announces tell no secret", File: "sandtrap/egress/scan.go",
			Old: "	x.scanHeader(resp.Trailer) // names that are announced\n", New: ``, Package: "./sandtrap/egress", Test: "TestSecretAnnounced"},
		{ID: "egress/tunnels", Defence: "a run that is closed waits for the ends of its tunnels", File: "sandtrap/egress/tunnel.go",
			Old: `if !r.enter() {`, New: `if r.ctx.Err() != nil {`, Package: "./sandtrap/egress", Test: "TestConnectCounts", Crash: "negative WaitGroup counter"},
		row("stand", "a request of a worker is not ended while somebody is asked about it", "sandtrap/runenv.go",
			`if s.plan.guards.Asks || s.plan.policy.Network != nil && s.placed(ctx) {`, `if s.plan.guards.Asks {`, "TestGuardAsks/process"),
		row("dry", "a dry run makes no requests", "sandtrap/dryrun/guard.go",
			`	if err == nil {
		err = &decide.Denied{Code: decide.Inactive, Member: name, Reason: "a dry run makes no requests"}
	}
	return nil, err`, `	return func(decide.Traffic) {}, err`, "TestDryRun/none"),
		row("narrow", "a derived policy keeps what the wide one refuses of requests", "sandtrap/tighten/apply.go",
			` && !(s.Requests > 0 && about(requestMember))`, ``, "TestTighten/none"),
		row("foreign", "a request that was redirected from another host has no secret", "builtins/internal/shim/http/transport.go",
			`	if foreign(req) {`, `	if false && foreign(req) {`, "TestSecret/none"),
		row("foreignwire", "nor has one of a worker", "sandtrap/internal/network/served.go",
			`	if op.Head.Foreign {`, `	if false {`, "TestSecret/process"),
		{
			ID: "netguard/value", Defence: "no way of printing shows the value of a secret", File: "sandtrap/egress/secret.go",
			Old: `type Value struct{ text func() string } // of which reflection sees an address

// NewValue is the Value of a secret.
func NewValue(text string) Value { return Value{func() string { return text }} }`,
			New: `type Value struct {
	text func() string
	copy string
}

func NewValue(text string) Value { return Value{func() string { return text }, text} }`,
			Package: "./sandtrap/egress", Test: "TestValuePrints",
		},
	}
}
