package mutate

// journalRows are the defences of runs with a journal.
func journalRows() []Mutation {
	return []Mutation{
		{
			ID: "journal/unwritten", Defence: "a call whose arguments a journal cannot hold is noted, so that the run does not wait for it",
			File: "sandtrap/internal/journal/wrap.go",
			Old: `		gone, live = w.refused(err), nil
`,
			New: `		return w.failed(err)
`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestAwkwardCalls/argument/none",
		}, {
			ID: "journal/gone", Defence: "a call whose function ends its goroutine has an outcome",
			File: "sandtrap/internal/journal/calls.go",
			Old: `	defer func() { r.end(n, args, out) }()
	if live != nil {
		out = live()
	}`,
			New: `	if live != nil {
		out = live()
	}
	r.end(n, args, out)`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestAwkwardCalls/goexit/none",
		}, {
			ID: "journal/methods", Defence: "a method for JSON that panics is the failure of its call",
			File: "sandtrap/internal/journal/wrap.go",
			Old: `	if p := recover(); p != nil {
		*err = fmt.Errorf("a method panics`,
			New: `	if p := any(nil); p != nil {
		*err = fmt.Errorf("a method panics`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestMethodsOfJSON",
		}, {
			ID: "journal/earlier", Defence: "answers come where the run has waited for them, not where their calls begin",
			File:    "sandtrap/internal/journal/run.go",
			Old:     `answers: answers,`,
			New:     `answers: answers, reached: len(f.Returns) == 0,`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestEarlierAnswer",
		}, {
			ID: "journal/nested", Defence: "a run that a function of the host makes has no part in the journal of the run that calls it",
			File:    "sandtrap/internal/journal/wrap.go",
			Old:     `ctx := Without(in[0].Interface().(context.Context))`,
			New:     `ctx := in[0].Interface().(context.Context)`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestNestedRun",
		}, {
			ID: "journal/start", Defence: "a run in a worker that has run others has its own seed",
			File:    "sandtrap/worker/worker.go",
			Old:     `engine.Start{Seed: s.seed}`,
			New:     `engine.Start{}`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestPoolRepeats",
		}, {
			ID: "journal/again", Defence: "a worker makes another sandbox for a job that begins with another seed or epoch",
			File:    "sandtrap/worker/worker.go",
			Old:     `if j.box == nil || s == j.start {`,
			New:     `if j.box == nil || j.start != (start{}) {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestPoolRepeats",
		}, {
			ID: "journal/tenant", Defence: "a worker of a box's pool that has run a script runs those of its tenant only",
			File:    "sandtrap/durable/pool.go",
			Old:     `return pool.Sandbox(starting(ctx, f), tenant)`,
			New:     `return pool.Sandbox(starting(ctx, f), "all"+tenant[:0])`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestPoolTenants",
		}, {
			ID: "journal/cut", Defence: "a journal whose last lines are missing is none",
			File:    "sandtrap/internal/journal/read.go",
			Old:     `	case len(f.Waiting) != f.Pause.Waiting || f.Pause.Rest > 0 && len(f.Waiting) == 0:`,
			New:     `	case false:`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestHostileJournals/cut",
		}, {
			ID: "journal/twice", Defence: "a journal has each call once",
			File:    "sandtrap/internal/journal/read.go",
			Old:     `	case f.calls[n]:`,
			New:     `	case false:`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestHostileJournals/a_call_twice",
		}, {
			ID: "journal/unfit", Defence: "a result in a journal that does not fit its function is no result",
			File: "sandtrap/internal/journal/wrap.go",
			Old: `		r.unfit(script.CallOf(ctx).Number, err)
		return w.failed(engine.ErrOver)`,
			New: `		_ = script.CallOf
		return w.failed(err)`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestHostileJournals/another_result",
		}, {
			ID: "journal/ended", Defence: "a script that ends before its journal does goes another way",
			File: "sandtrap/durable/run.go",
			Old: `		r.Ended()
`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestHostileJournals/a_script_that_ends",
		}, {
			ID: "journal/calls", Defence: "a run that goes another way than its journal calls nothing that the journal does not have",
			File:    "sandtrap/internal/journal/calls.go",
			Old:     `	case waits == nil && !r.reached && r.file.Pause.Rest > 0:`,
			New:     `	case false:`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestNoCallsOnceDiverged",
		}, {
			ID: "journal/idle", Defence: "a run pauses only if a call waits, whatever its worker says",
			File:    "sandtrap/internal/journal/turn.go",
			Old:     `	if len(r.waiting) == 0 {`,
			New:     `	if false {`,
			Package: "./sandtrap/worker", Test: "TestJournalLies/process/none",
		}, {
			ID: "journal/numbers", Defence: "calls that have begun have the numbers from 1, whatever their worker says",
			File:    "sandtrap/internal/journal/turn.go",
			Old:     `		if n > most {`,
			New:     `		if n < 0 {`,
			Package: "./sandtrap/internal/journal", Test: "TestLyingWait",
		}, {
			ID: "journal/late", Defence: "no function is called for a run that has paused",
			File:    "sandtrap/internal/journal/calls.go",
			Old:     `	case r.over || r.paused || r.diverged != nil:`,
			New:     `	case r.over:`,
			Package: "./sandtrap/worker", Test: "TestJournalLies/process/late",
		}, {
			ID: "journal/other", Defence: "a run that makes another call than its journal has ends at once",
			File: "sandtrap/internal/journal/calls.go",
			Old: `	if r.diverged != nil {
		return nil, false`,
			New: `	if r.over {
		return nil, false`,
			Package: "./sandtrap/durable", Test: "TestDiverged",
		}, {
			ID: "journal/rests", Defence: "a worker asks once at each moment which call returns",
			File:    "sandtrap/internal/journal/turn.go",
			Old:     `	if at.Number <= r.last {`,
			New:     `	if at.Number < -99 {`,
			Package: "./sandtrap/worker", Test: "TestJournalLies/process/(backwards|at_once)",
		}, {
			ID: "journal/mac", Defence: "who does not have the key of a journal cannot change it",
			File:    "sandtrap/internal/journal/mac.go",
			Old:     `	case !hmac.Equal(mac, c.next(line)):`,
			New:     `	case !hmac.Equal(mac, c.next(line)) && false:`,
			Package: "./sandtrap/durable", Test: "TestChangedJournals",
		}, {
			ID: "journal/chain", Defence: "lines of a journal with MACs are neither left out nor of another journal",
			File: "sandtrap/internal/journal/mac.go",
			Old: `	h.Write(c.last)
`,
			New:     ``,
			Package: "./sandtrap/durable", Test: "TestChangedJournals",
		}, {
			ID: "journal/unsealed", Defence: "a box with a key refuses a journal without MACs",
			File:    "sandtrap/internal/journal/mac.go",
			Old:     `	case c == nil:`,
			New:     `	case c == nil || mac == nil:`,
			Package: "./sandtrap/durable", Test: "TestKey",
		}, {
			ID: "journal/leave", Defence: "a run that is cancelled leaves a journal with the answers that it has not come to",
			File:    "sandtrap/internal/journal/run.go",
			Old:     `	for n, o := range r.answers {`,
			New:     `	for n, o := range map[int]*Outcome(nil) {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestCancelledAnswers/none",
		}, {
			ID: "journal/terminated", Defence: "a SIGTERM does not lose the answers that resume was given",
			File:    "cmd/internal/cli/journal.go",
			Old:     `os.Interrupt, syscall.SIGTERM)`,
			New:     `os.Interrupt, syscall.Signal(0))`,
			Package: "./cmd/internal/cli", Test: "TestTerminated",
		}, {
			ID: "journal/text", Defence: "a script with a journal has what JSON keeps",
			File:    "sandtrap/durable/run.go",
			Old:     `		if !utf8.ValidString(text) {`,
			New:     `		if false && !utf8.ValidString(text) {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestScriptsOfJournals",
		}, {
			ID: "journal/repeat", Defence: "what the guard knew of a session when a run has waited, it knows again when the run goes on",
			File:    "sandtrap/internal/journal/wrap.go",
			Old:     `w.guarded && run != nil {`,
			New:     `false && run != nil {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestApprovalLater",
		}, {
			ID: "journal/denied", Defence: "a call that is refused and has no error result ends the run, and its replay",
			File:    "sandtrap/internal/journal/wrap.go",
			Old:     `	if out.Denied != "" {`,
			New:     `	if false {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestDeniedJournal",
		}, {
			ID: "journal/deadline", Defence: "a run whose host had a deadline goes on later: the limits of the run alone end it for good",
			File:    "sandtrap/durable/run.go",
			Old:     `givenUp && end.Kind`,
			New:     `false && end.Kind`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestDeadline",
		}, {
			ID: "journal/deadline-late", Defence: "so it is where its context does not know yet that its deadline is over",
			File:    "sandtrap/durable/run.go",
			Old:     `	return ctx.Err() != nil || has && !time.Now().Before(until)`,
			New:     `	return ctx.Err() != nil || has && until.IsZero()`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestDeadline",
		}, {
			ID: "journal/replay-spends", Defence: "a replay spends nothing of a budget",
			File:    "sandtrap/durable/run.go",
			Old:     `p.spends = !repeats`,
			New:     `p.spends = true`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestReplaySpends",
		}, {
			ID: "journal/session-spends", Defence: "a session that is loaded has spent of a budget what it has spent before",
			File: "sandtrap/durable/session.go",
			Old: `		p.spends = s.paid <= i
`,
			New:     ``,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionSpends",
		}, {
			ID: "journal/session-pays-once", Defence: "a cell that waits in the process of its session spends once of a budget",
			File: "sandtrap/durable/session.go",
			Old: `	p.spends = s.paid <= last
`,
			New: `	p.spends = true
`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionSpends",
		}, {
			ID: "journal/session-unwritten", Defence: "a session whose journal cannot be written is saved with all calls that have returned",
			File:    "sandtrap/durable/session.go",
			Old:     `p.left != nil`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionUnwritten",
		}, {
			ID: "journal/session-left", Defence: "a session whose context ends while its cells are repeated has not diverged",
			File:    "sandtrap/durable/run.go",
			Old:     `outer && end.Kind != wanted.Kind`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionLeft",
		}, {
			ID: "journal/pause-keeps", Defence: "a pause of a session saves it as it waited, whatever comes later",
			File:    "sandtrap/durable/session.go",
			Old:     `slices.Clone(s.file.Cells)`,
			New:     `slices.Clip(s.file.Cells)`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestPauseKeeps",
		}, {
			ID: "journal/after-the-last", Defence: "a journal has no cell after one that time or memory has ended",
			File:    "sandtrap/durable/session.go",
			Old:     `i < len(cells)-1`,
			New:     `false`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestCellAfterTheLast",
		}, {
			ID: "journal/returned", Defence: "calls that return have such numbers, too, so that the journal can be read again",
			File:    "sandtrap/internal/journal/turn.go",
			Old:     `most := r.file.Before + len(r.calls); n > most`,
			New:     `most := r.file.Before + len(r.calls); false`,
			Package: "./sandtrap/internal/journal", Test: "TestLyingNumber",
		}, {
			ID: "journal/full", Defence: "a journal that is written bit by bit stays within what can be read",
			File: "sandtrap/internal/journal/file.go",
			Old: `	l.lines, l.bytes = l.lines+len(list), l.bytes+len(text)
`,
			New:     ``,
			Package: "./sandtrap/internal/journal", Test: "TestFull",
		}, {
			ID: "journal/last-call", Defence: "no call has a number that a journal cannot have",
			File:    "sandtrap/internal/journal/calls.go",
			Old:     `	case n > maxLines:`,
			New:     `	case false:`,
			Package: "./sandtrap/internal/journal", Test: "TestLastCall",
		}, {
			ID: "journal/waiting-counts", Defence: "rules that keep count know of calls that wait still when a run goes on",
			File: "sandtrap/internal/journal/calls.go",
			Old: `			note.begun(r.spends)
		}`,
			New:     `		}`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestRulesWhileWaiting/calls_that_wait_count/none",
		}, {
			ID: "journal/withheld-counts", Defence: "rules that keep count know of results that were withheld when a run goes on",
			File:    "sandtrap/internal/journal/wrap.go",
			Old:     `o.Denied == "" || len(o.Result) > 0`,
			New:     `o.Denied == ""`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestRulesWhileWaiting/withheld_results_count/none",
		}, {
			ID: "journal/withheld", Defence: "an answer that rules refuse is in the journal as one that is withheld",
			File:    "sandtrap/internal/journal/turn.go",
			Old:     `			c.out = c.note.returned(c.answer)`,
			New:     `			c.out = c.answer`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestAnswerWithheld",
		}, {
			ID: "journal/questions", Defence: "the answer to one question about a call is none to another one",
			File:    "sandtrap/decide/denied.go",
			Old:     `		if h.Deferred == q {`,
			New:     `		if h.Question >= 0 {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestQuestionsApart",
		}, {
			ID: "journal/cells-numbers", Defence: "calls of a cell have other numbers than those of the cells before",
			File:    "sandtrap/internal/engine/order.go",
			Old:     `	call = t.order.Before() + t.begun`,
			New:     `	call = t.begun`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionNumbers/none",
		}, {
			ID: "journal/cells-repeat", Defence: "cells that are repeated call nothing",
			File:    "sandtrap/durable/session.go",
			Old:     `s.live.Run, nil, true)`,
			New:     `s.live.Run, nil, false)`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionNumbers/none",
		}, {
			ID: "journal/cells-order", Defence: "calls of cells in workers return by the journal",
			File:    "sandtrap/remote.go",
			Old:     `	if job != nil && c.order != nil {`,
			New:     `	if job != nil && c.order != nil && task.Cell == nil {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionNumbers/process",
		}, {
			ID: "journal/cells-end", Defence: "a cell that time has ended gets no more of it in another process",
			File:    "sandtrap/durable/session.go",
			Old:     `	if last := s.file.Last(); last != nil && endedByChance(last.End) {`,
			New:     `	if last := s.file.Last(); false && last != nil {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionCancelled/none",
		}, {
			ID: "journal/cells-inside", Defence: "a function that runs a cell of the session that calls it gets an error, and does not wait for itself",
			File:    "sandtrap/durable/session.go",
			Old:     `	if ctx.Value(sessionKey{}) == s {`,
			New:     `	if ctx.Value(sessionKey{}) == nil {`,
			Package: "./sandtrap/sandtraptest/durabletest", Test: "TestSessionMisuse",
		},
	}
}
