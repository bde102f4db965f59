package mutate

// egressRows are the defences of the way to the network.
func egressRows() []Mutation {
	const pkg = "./sandtrap/egress"
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{ID: "egress/" + id, Defence: defence, File: "sandtrap/egress/" + file, Old: was, New: now, Package: pkg, Test: test}
	}
	return []Mutation{
		row("controls", "a URL with spaces, control characters or backslashes is refused", "canonical.go",
			`return r <= ' ' || r == '\\' || r == 0x7f`, `return r == 0`, "TestSpellings"),
		row("idna", "names that are not ASCII are mapped as browsers map them", "canonical.go",
			`	if needsIDNA(text) {`, `	if false {`, "TestSpellings"),
		row("utf8", "a host that is not UTF-8 is refused", "canonical.go",
			`!utf8.ValidString(text)`, `!utf8.ValidString("")`, "TestSpellings"),
		row("port", "a port above 65535 is refused", "canonical.go",
			`strconv.ParseUint(port, 10, 16)`, `strconv.ParseUint(port, 10, 32)`, "TestSpellings"),
		row("schemes", "a URL is http or https", "canonical.go",
			`; a.Port == 0 {`, `; false {`, "TestSpellings"),
		row("metadata", "no rule opens metadata services within private ranges", "special.go",
			`	special("fd00:ec2::/32", "the metadata and credentials services of AWS", Never),
`, ``, "TestSpecialWhy"),
		row("mapped", "an address that is mapped from version 4 is that of version 4", "special.go",
			`ip = ip.Unmap().WithZone("")`, `ip = ip.WithZone("")`, "TestSpecialWhy"),
		row("unassigned", "addresses of version 6 that are not global unicast are special", "special.go",
			`	special("4000::/2", "not global unicast (RFC 4291)", Never),
`, ``, "TestSpecialEdges"),
		row("6to4", "addresses of 6to4 are special", "special.go",
			`	special("2002::/16", "of 6to4 (RFC 3056)", Never),
`, ``, "TestSpecialEdges"),
		row("shared", "addresses that customers of a provider share are special", "special.go",
			`	special("100.64.0.0/10", "shared between customers of a provider (RFC 6598)", Private),
`, ``, "TestSpecialEdges"),
	}
}
