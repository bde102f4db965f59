package mutate

// netipRows are the defences of the packages about addresses, headers and cookies of scripts.
func netipRows() []Mutation {
	const pkg = "./sandtrap/sandtraptest/hostwrite"
	row := func(id, defence, file, was, now, pkg, test string) Mutation {
		return Mutation{ID: "netip/" + id, Defence: defence, File: file, Old: was, New: now, Package: pkg, Test: test}
	}
	return []Mutation{
		row("masks", "scripts get copies of the masks that package net has once for the process", "builtins/internal/shim/net/ip.go",
			`return slices.Clone(ip.DefaultMask())`, `return ip.DefaultMask()`, pkg, "TestAddresses"),
		row("addresses", "scripts get copies of the addresses that are variables of package net", "builtins/internal/shim/net/ip.go",
			`return slices.Clone(ip) }`, `return ip }`, pkg, "TestAddresses"),
		row("header", "the entries of a header are charged for before they are there", "builtins/internal/shim/net/textproto.go",
			`l.env.Charge(headerCopies * int64(n))`, ``, "./builtins/internal/shim/net", "TestMIMEHeaderIsPaid"),
		row("list", "the list of public suffixes of a script is asked while no lock is held", "builtins/internal/shim/http/jar.go",
			`j.list, own.PublicSuffixList = o.PublicSuffixList, answering{j}`, `own.PublicSuffixList = o.PublicSuffixList`,
			"./sandtrap/sandtraptest/nettest", "TestListOfScript/asked_for_a_cookie"),
		row("jar", "the cookies that a jar keeps are charged", "builtins/internal/shim/http/jar.go",
			`j.env.Charge(int64(keptCookie + text))`, ``, "./builtins/internal/shim/http", "TestJarAsksFirst"),
		row("jar-time", "the time for all cookies of a call is asked for at once", "builtins/internal/shim/http/jar.go",
			`j.env.Work(int64(took) / shim.TickTime)`, ``, "./builtins/internal/shim/http", "TestJarAsksFirst"),
		row("jar-host", "the time that a host takes which is not ASCII is asked for", "builtins/internal/shim/http/jar.go",
			`j.env.WorkProduct(n, n)`, `_ = n`, "./builtins/internal/shim/http", "TestJarAsksFirst"),
	}
}
