package mutate

// guardRows are the defences of calls that a guard decides about.
func guardRows() []Mutation {
	return []Mutation{
		{
			ID: "guard/unknown", Defence: "answers to requests that were not made deny",
			File:    "sandtrap/guard/ask.go",
			Old:     `twice || !asked[a.ID]`,
			New:     `twice`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestAskDenies/vm-none",
		}, {
			ID: "guard/twice", Defence: "two answers to a request deny",
			File:    "sandtrap/guard/ask.go",
			Old:     `twice || !asked[a.ID]`,
			New:     `!asked[a.ID] && !twice`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestAskDenies/vm-none",
		}, {
			ID: "guard/frozen", Defence: "a call is made with the arguments that were shown, whatever the script does meanwhile",
			File:    "sandtrap/guard.go",
			Old:     `own.Blocking = own.Blocking || asks`,
			New:     `own.Blocking = own.Blocking || asks && false`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestAsk/vm-none",
		}, {
			ID: "guard/clock", Defence: "the clock of a run stands while somebody is asked",
			File: "sandtrap/guard/ask.go",
			Old: `	resume := d.run.host.Stand(ctx)
	defer resume()
`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestAskClock/vm-none",
		}, {
			ID: "guard/silence", Defence: "a run asks no more when it was asked about in vain for an hour",
			File:    "sandtrap/guard/ask.go",
			Old:     ` || s.time >= mostSilence`,
			New:     ` || s.time < 0*mostSilence`,
			Package: "./sandtrap/guard", Test: "TestSilence",
		}, {
			ID: "guard/hung", Defence: "an approver or a decider that does not return holds a bounded number of goroutines",
			File:    "sandtrap/guard/answered.go",
			Old:     `	if hung.Load() >= mostHung {`,
			New:     `	if hung.Load() >= 100*mostHung {`,
			Package: "./sandtrap/guard", Test: "TestHung",
		}, {
			ID: "guard/panicked", Defence: "a call that panics counts for rules as one that was made",
			File:    "sandtrap/guard/run.go",
			Old:     `		if !back {`,
			New:     `		if false && back {`,
			Package: "./sandtrap/guard", Test: "TestAfterPanic",
		}, {
			ID: "guard/reference", Defence: "members that a guard hides are not in the reference for a model",
			File:    "sandtrap/internal/declare/declare.go",
			Old:     `	if d.Hidden != nil {`,
			New:     `	if d.Hidden != nil && name == "" {`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestReferenceHidden",
		}, {
			ID: "guard/none", Defence: "without a guard, members that declare something are closed",
			File:    "sandtrap/internal/guarded/closed.go",
			Old:     `		if m.Declared() {`,
			New:     `		if false {`,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestClosed/vm-none",
		}, {
			ID: "guard/meanwhile", Defence: "a tightening decides about calls that wait for approval",
			File:    "sandtrap/guard/run.go",
			Old:     `		if len(d.stack.layers) == passed {`,
			New:     `		if passed > 0 {`,
			Package: "./sandtrap/guard", Test: "TestTightenWhileAsked",
		}, {
			ID: "guard/always", Defence: "an answer for all calls does not answer what a later tightening asks",
			File:    "sandtrap/guard/gate.go",
			Old:     `	return layer < s.always[permit{member, by}]`,
			New:     `	return s.always[permit{member, by}] > 0`,
			Package: "./sandtrap/guard", Test: "TestTightenAlways",
		}, {
			ID: "guard/open", Defence: "a tightening that would decide about a member whose calls nobody decides is an error",
			File:    "sandtrap/guard/gate.go",
			Old:     `len(open) > 0 {`,
			New:     `len(open) > len(g.members) {`,
			Package: "./sandtrap/guard", Test: "TestTightenOpen",
		}, {
			ID: "guard/lines", Defence: "a run keeps a bounded number of warnings",
			File:    "sandtrap/guard/lines.go",
			Old:     `l.told[line] || len(l.told) > mostLines`,
			New:     `l.told[line]`,
			Package: "./sandtrap/guard", Test: "TestLines",
		}, {
			ID: "guard/start", Defence: "a run whose beginning cannot be recorded is stopped",
			File:    "sandtrap/guard/gate.go",
			Old:     `_ = r.recorded(s.gate.stack.Load()`,
			New:     `_ = r.record(s.gate.stack.Load()`,
			Package: "./sandtrap/guard", Test: "TestRecordStart",
		}, {
			ID: "guard/budget", Defence: "calls do not cost more together than a budget",
			File: "sandtrap/guard/budget.go",
			Old: `	b.spent += cost
`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/guardtest", Test: "TestSharedBudget",
		}, {
			ID: "guard/kept", Defence: "rules about results of all layers see a call that was made",
			File: "sandtrap/guard/run.go",
			Old:  `if blocked := d.obey(i, p.After(d.args, results, d.run.session.state(l)), hintWithheld); err == nil {`,
			New: `if err != nil {
			} else if blocked := d.obey(i, p.After(d.args, results, d.run.session.state(l)), hintWithheld); err == nil {`,
			Package: "./sandtrap/guard", Test: "TestAfterAll",
		}, {
			ID: "rules/paths", Defence: "a pattern for all members matches those with import paths",
			File:    "sandtrap/rules/compile.go",
			Old:     `NewReplacer("/", "\x00")`,
			New:     `NewReplacer("\x00", "\x00")`,
			Package: "./sandtrap/rules", Test: "TestPatterns",
		},
	}
}
