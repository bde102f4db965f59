package mutate

// nethttpRows are the defences of package net/http of scripts.
func nethttpRows() []Mutation {
	const pkg = "./sandtrap/sandtraptest/nettest"
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "nethttp/" + id, Defence: defence, File: file, Old: was, New: now, Package: pkg, Test: test}
	}
	return []Mutation{
		row("transport", "a client of a script has the transport of its run, and never that of Go", "builtins/internal/shim/http/client.go",
			`own := &http.Client{Transport: t, CheckRedirect`, `_ = t
	own := &http.Client{CheckRedirect`, "TestNoWayAround"),
		row("over", "requests of a worker end with its run", "sandtrap/remote_call.go", `	c.network.Close()
`, ``, "TestNothingOutlives/never_closed"),
		row("field", "package net/http is there only if the policy has a network", "sandtrap/tables.go",
			`whole || p.Network == nil && slices.Contains`, `whole || false && slices.Contains`, "TestWithoutNetwork"),
		row("log", "cookies of scripts write nothing to the log of the host", "builtins/internal/shim/http/request.go",
			`r.AddCookie(silent(c))`, `r.AddCookie(c)`, "TestSilent"),
	}
}
