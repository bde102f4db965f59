package mutate

// tightenRows are the defences of policies that are derived from records.
func tightenRows() []Mutation {
	row := func(id, defence, file, was, now, test string) Mutation {
		return Mutation{
			ID: "tighten/" + id, Defence: defence, File: "sandtrap/tighten/" + file, Old: was, New: now,
			Package: "./sandtrap/sandtraptest/tightentest", Test: test,
		}
	}
	return []Mutation{
		row("forged", "a name in a record that is a pattern of packages opens nothing", "use.go",
			`		if len(packages) != 1 || packages[0].Path != path {`, `		if len(packages) == 0 {`, "TestForged"),
		row("redacted", "a path of which a record shows a part only is not allowed", "use.go",
			`hex.EncodeToString(sum[:]) != e.Hash || `, `hex.EncodeToString(sum[:]) == "" || `, "TestRedacted"),
		row("risk", "a record of another policy grants no function that the policy closes", "apply.go",
			`!s.opens(g, name, risk[name])`, `false`, "TestApplyOpensNothing"),
		row("permissions", "a record of another policy gives no permission", "apply.go",
			`!slices.Contains(g.Permissions, p)`, `false`, "TestApplyOpensNothing"),
		row("class", "a record of another policy opens no class of data", "apply.go",
			`	g.MaxClass = min(g.MaxClass, s.MaxClass)`, `	g.MaxClass = s.MaxClass`, "TestApplyOpensNothing"),
		row("budget", "a record of another policy gives no budget", "apply.go",
			`	if s.Budget > 0 && g.Budget != nil {`, `	if s.Budget > 0 {`, "TestApplyOpensNothing"),
		row("rate", "a record of another policy raises no rate", "apply.go",
			`!ok || n < have`, `!ok || n != have`, "TestApplyOpensNothing"),
		row("deny", "operations on files that were not recorded are denied", "apply.go",
			`		g.Deny = slices.Concat(g.Deny, s.deny())
`, ``, "TestHost"),
		row("paths", "operations on files are allowed for those that were recorded", "apply.go",
			`		g.Rules = slices.Concat(g.Rules, s.rules())
`, ``, "TestHost"),
		row("funcs", "functions of the host that no recorded run could reach do not exist", "apply.go",
			`	maps.DeleteFunc(p.Funcs, func(name string, _ any) bool { return !s.uses("", name) })
`, ``, "TestHost"),
		row("text", "names in a record add no line to a policy file", "text.go",
			`	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]`, `	_ = strconv.Quote
	return text`, "TestText"),
	}
}
