package mutate

// dryrunRows are the defences of runs that do nothing.
func dryrunRows() []Mutation {
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{
			ID: "dryrun/" + id, Defence: defence, File: file, Old: was, New: now,
			Package: "./sandtrap/sandtraptest/dryruntest", Test: test,
		}
	}
	preview := func(id, defence, was, now, test string) Mutation {
		return Mutation{ID: "dryrun/" + id, Defence: defence, File: "vfs/preview.go", Old: was, New: now, Package: "./vfs", Test: test}
	}
	return []Mutation{
		row("called", "a dry run calls no function of the host", "sandtrap/dryrun/guard.go",
			`		do = func() []reflect.Value { return r.list.answer(ctx, c, m, args) }
`, ``, "TestPlanEqualsRun/vm-none/one"),
		row("open", "nor one about which the guard has nothing to decide", "sandtrap/dryrun/guard.go",
			`guards || g.list.members[member] != nil`, `guards`, "TestAnswers"),
		row("asked", "a dry run asks nobody", "sandtrap/dryrun/guard.go",
			`	h.Asked = asked
`, ``, "TestPlanEqualsRun/vm-none/asked"),
		row("budget", "a dry run spends nothing of the budget of its policy", "sandtrap/guard/policy.go",
			`	r.Budget, r.Counts, r.Record = p.Budget.left(), nil, nil`, `	r.Record = nil`, "TestNothingLive"),
		row("record", "a dry run writes to no record of its policy", "sandtrap/guard/policy.go",
			`	r.Budget, r.Counts, r.Record = p.Budget.left(), nil, nil`, `	r.Budget = p.Budget.left()`, "TestNothingLive"),
		row("files", "a dry run writes to no directory of its policy", "sandtrap/dryrun/policy.go",
			`	files.Open, files.Paths = preview.Files, nil`, `	files.Open = preview.Files`, "TestPlanEqualsRun/vm-none/write"),
		row("inputs", "a script changes no inputs of the host in a dry run", "sandtrap/dryrun/dryrun.go",
			`	script.Copy = true
`, ``, "TestInputs"),
		row("methods", "a policy that gives scripts methods of types of the host has no dry run", "sandtrap/internal/guarded/open.go",
			`reflect.PointerTo(t).NumMethod() > 0`, `reflect.PointerTo(t).NumMethod() < 0`, "TestRefused"),
		row("memory", "nor has one that gives them memory of the host, and functions in it", "sandtrap/internal/guarded/open.go",
			`	case shared(v.Type()) && !isError:`, `	case shared(v.Type()) && !isError && v.IsZero():`, "TestRefused"),
		row("wrappers", "nor has one with wrappers, which are code of the host", "sandtrap/dryrun/policy.go",
			`len(p.Wrappers) > 0`, `len(p.Wrappers) < 0`, "TestRefused"),
		row("calls", "a script cannot fill the memory of the host with the calls of a report", "sandtrap/dryrun/guard.go",
			`len(l.calls) == mostCalls || size > mostBytes-l.bytes`, `len(l.calls) < 0`, "TestManyCalls"),
		row("lines", "nor with the lines of files", "sandtrap/dryrun/files.go",
			`int64(len(c.Diff)) > d.room`, `len(c.Diff) < 0`, "TestManyFiles"),
		row("compared", "nor can it keep the host comparing them", "sandtrap/dryrun/files.go",
			`size > d.compared`, `size < 0`, "TestManyLines"),
		row("spoof", "lines of files look like no line of a report, and change nothing that is shown", "sandtrap/dryrun/text.go",
			`plaintext.Escape(strings.TrimSuffix(line, "\n"))`, `strings.TrimSuffix(line, "\n")`, "TestSpoof"),
		row("behind", "a call that goes on after its run changes no report", "sandtrap/dryrun/guard.go",
			`append([]Call{}, l.calls...)`, `l.calls`, "TestLeftBehind"),
		preview("disk", "a preview writes to no directory",
			`	p.layers = append(p.layers, previewed{seen, l})
	return l, nil`, `	p.layers = append(p.layers, previewed{seen, l})
	return base, nil`, "TestPreview/given"),
		preview("read-only", "a preview changes nothing that a volume does not let scripts change",
			`	case *afero.ReadOnlyFs, readOnly:
		return base, nil
`, ``, "TestPreview/read-only"),
		preview("hidden", "a preview hides what a volume hides",
			`		return &hideFs{base: below, names: b.names, change: b.change}, err`, `		return below, err`, "TestPreview/base"),
		preview("interrupted", "files with a commit that was interrupted have no preview",
			`lstat(base, stage); err == nil {`, `lstat(base, stage); err == nil && seen == "" {`, "TestPreviewInterrupted"),
		{
			ID: "dryrun/place", Defence: "a worker says where the script calls a function, for people who decide by it and for records",
			File: "sandtrap/worker/policy.go", Old: `guarded.Site(j.runContext())`, New: `guarded.Site(ctx)`,
			Package: "./sandtrap/sandtraptest/dryruntest", Test: "TestPlanEqualsRun/vm-process/one",
		},
	}
}
