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
	}
}
