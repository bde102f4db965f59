package mutate

// rulesRows are the defences of rules about calls of host members.
func rulesRows() []Mutation {
	const dir, tests = "sandtrap/rules/", "./sandtrap/rules"
	return []Mutation{
		{
			ID: "rules/clean", Defence: "a path is cleaned before it is compared",
			File: dir + "paths.go",
			Old: `		case len(words) > 0:
			words = words[:len(words)-1]`,
			New: `		case len(words) > 0:
			words = append(words, s)`,
			Package: tests, Test: "TestPathVariants",
		}, {
			ID: "rules/climbs", Defence: "a relative path that leads out of its directory may be any",
			File: dir + "paths.go",
			Old: `	if at.climbs > 0 {
		result = unknown`,
			New: `	if at.climbs < 0 {
		result = unknown`,
			Package: tests, Test: "TestReference|TestPathVariants",
		}, {
			ID: "rules/relative", Defence: "a relative path may be the absolute one of a pattern",
			File: dir + "paths.go",
			Old: `			return yes
		}
		result = unknown`,
			New: `			return yes
		}`,
			Package: tests, Test: "TestReference|TestPathVariants",
		}, {
			ID: "rules/nul", Defence: "a path with a NUL byte is unknown",
			File:    dir + "paths.go",
			Old:     `if v.Kind() != reflect.String || strings.IndexByte(v.String(), 0) >= 0 {`,
			New:     `if v.Kind() != reflect.String {`,
			Package: tests, Test: "TestPathVariants",
		}, {
			ID: "rules/type", Defence: "a value without the type that a condition needs makes a rule fire",
			File: dir + "access.go",
			Old: `		one := unknown
		if _, ok`,
			New: `		one := no
		if _, ok`,
			Package: tests, Test: "TestInDoubtItFires",
		}, {
			ID: "rules/unknown", Defence: "a rule fires unless its conditions are known not to hold",
			File: dir + "set.go",
			Old: `		case t == no:
		case s.update == nil:`,
			New: `		case t == no || t == unknown && s.update == nil:
		case s.update == nil:`,
			Package: tests, Test: "TestInDoubtItFires",
		}, {
			ID: "rules/not", Defence: "not unknown is unknown",
			File:    dir + "truth.go",
			Old:     `return yes - t }`,
			New:     `return is(t != yes) }`,
			Package: tests, Test: "TestInDoubtItFires",
		}, {
			ID: "rules/arguments", Defence: "of a call with another number of arguments than parameters nothing is known",
			File:    dir + "set.go",
			Old:     `if len(args) != len(p.member.Params) {`,
			New:     `if len(args) > 1<<20 {`,
			Package: tests, Test: "TestInDoubtItFires",
		}, {
			ID: "rules/newline", Defence: "in a regular expression . is a newline too",
			File:    dir + "conditions.go",
			Old:     `(?s)\A(?:`,
			New:     `\A(?:`,
			Package: tests, Test: "TestConditions",
		}, {
			ID: "rules/anchored", Defence: "a regular expression matches the whole text",
			File:    dir + "conditions.go",
			Old:     "c.Regexp + `)\\z`",
			New:     "c.Regexp + `)`",
			Package: tests, Test: "TestConditions",
		}, {
			ID: "rules/nan", Defence: "NaN is in no range, and not out of it",
			File:    dir + "number.go",
			Old:     `v.CanFloat() && !math.IsNaN(v.Float())`,
			New:     `v.CanFloat()`,
			Package: tests, Test: "TestConditions",
		}, {
			ID: "rules/url-user", Defence: "a URL with a user is unknown",
			File:    "internal/weburl/weburl.go",
			Old:     `		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '_':`,
			New:     `		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '-', b == '_', b == '@':`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/url-case", Defence: "letter case and a dot at the end make no difference in hosts",
			File:    "internal/weburl/weburl.go",
			Old:     `host := strings.TrimSuffix(asciiLower(text), ".")`,
			New:     `host := text`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/url-number", Defence: "a host that ends in a number is an address in its usual form, or unknown",
			File:    "internal/weburl/weburl.go",
			Old:     `err != nil || !ip.Is4() {`,
			New:     `err != nil && ip.Is4() {`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/url-percent", Defence: "the path of a URL is decoded before it is compared",
			File: "internal/weburl/weburl.go",
			Old: `		if b == '%' {
			if i+2`,
			New: `		if b == 0 {
			if i+2`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/url-separator", Defence: "a separator that is written with a percent sign is unknown",
			File:    "internal/weburl/weburl.go",
			Old:     `strings.IndexByte("/\\%;", b) >= 0`,
			New:     `b == 0`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/url-backslash", Defence: "a URL with characters that some clients take for others is unknown",
			File:    "internal/weburl/weburl.go",
			Old:     "case b <= ' ' || b >= 0x7f || strings.IndexByte(\"\\\\;\\\"<>^`{|}\", b) >= 0:",
			New:     `case b == 0:`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/url-port", Defence: "the port of a scheme makes no difference",
			File:    dir + "url.go",
			Old:     `	if port == ports[a.scheme] {`,
			New:     `	if port == "" {`,
			Package: tests, Test: "TestURLForms",
		}, {
			ID: "rules/command-options", Defence: "options are found together with others",
			File:    dir + "command.go",
			Old:     `		return strings.IndexByte(word[1:], o[1]) >= 0`,
			New:     `		return false`,
			Package: tests, Test: "TestCommandForms",
		}, {
			ID: "rules/command-long", Defence: "long options are found if they are shortened",
			File:    dir + "command.go",
			Old:     `		return len(name) > 2 && strings.HasPrefix(o, name)`,
			New:     `		return name == o`,
			Package: tests, Test: "TestCommandForms",
		}, {
			ID: "rules/command-path", Defence: "a program is found by any path",
			File:    dir + "command.go",
			Old:     `return word == want || path.Base(word) == want`,
			New:     `return word == want || path.Base(want) == word`,
			Package: tests, Test: "TestCommandForms",
		}, {
			ID: "rules/command-not", Defence: "conditions that match more than they say allow nothing",
			File:    dir + "command.go",
			Old:     `	if s.negated {`,
			New:     `	if s == nil {`,
			Package: tests, Test: "TestCompileErrors",
		}, {
			ID: "rules/full", Defence: "of a set that is full it is unknown whether it has others",
			File:    dir + "state.go",
			Old:     `		s.sets[u.set].more = true`,
			New:     `		s.sets[u.set].more = false`,
			Package: tests, Test: "TestSetsAreBounded|TestDoubtInState",
		}, {
			ID: "rules/bound", Defence: "the sets of a session are bounded",
			File:    dir + "state.go",
			Old:     `if key == nil || len(set.have) >= maxValues {`,
			New:     `if key == nil {`,
			Package: tests, Test: "TestSetsAreBounded",
		}, {
			ID: "rules/doubt", Defence: "a flag that may have been raised is in doubt",
			File:    dir + "state.go",
			Old:     `max(s.flags[u.raise], is(known), unknown)`,
			New:     `max(s.flags[u.raise], is(known))`,
			Package: tests, Test: "TestDoubtInState",
		}, {
			ID: "rules/doubt-count", Defence: "what may have been counted leaves the counter in doubt",
			File:    dir + "state.go",
			Old:     `	if n.most < math.MaxInt64 {`,
			New:     `	if known && n.most < math.MaxInt64 {`,
			Package: tests, Test: "TestDoubtInState",
		}, {
			ID: "rules/doubt-reset", Defence: "a counter that may have been reset is in doubt",
			File: dir + "state.go",
			Old:  `		if s.counts[i].least = 0; known {`,
			New: `		if known {
			s.counts[i].least = 0`,
			Package: tests, Test: "TestDoubtInState",
		}, {
			ID: "rules/other-form", Defence: "a path in a set is seen in its other form",
			File: dir + "form.go",
			Old: `	if f.as != "path" {
		return false`,
			New: `	if f.as != "" {
		return false`,
			Package: tests, Test: "TestState",
		}, {
			ID: "rules/blocked", Defence: "a call that a rule blocks is not tracked",
			File:    dir + "set.go",
			Old:     `	if c.state == nil || blocked && f == &p.before {`,
			New:     `	if c.state == nil {`,
			Package: tests, Test: "TestBlockedIsNotTracked",
		}, {
			ID: "rules/at-once", Defence: "of calls at the same time as many pass as a rule says",
			File: dir + "set.go",
			Old: `		st.lock.Lock()
		defer st.lock.Unlock()
`,
			New:     ``,
			Package: tests, Test: "TestCountedAtOnce",
		}, {
			ID: "rules/index-host", Defence: "an index leaves out no rule of an unclear URL",
			File: dir + "index.go",
			Old: `		if err != nil {
			break`,
			New: `		if err != nil {
			return list`,
			Package: tests, Test: "TestManyURLs",
		}, {
			ID: "rules/no-state", Defence: "without a state conditions on it are unknown",
			File: dir + "state.go",
			Old: `	if c.state == nil {
		return unknown
	}
	switch have`,
			New: `	if c.state == nil {
		return no
	}
	switch have`,
			Package: tests, Test: "TestNoState",
		}, {
			ID: "rules/index", Defence: "an index leaves out no rule of an unclear text",
			File: dir + "index.go",
			Old: `	if !v.IsValid() || v.Kind() != reflect.String {
		return append(list, x.all...)`,
			New: `	if !v.IsValid() || v.Kind() != reflect.String {
		return list`,
			Package: tests, Test: "TestReference",
		}, {
			ID: "rules/index-path", Defence: "an index leaves out no rule of a path that leads out of its directory",
			File: dir + "index.go",
			Old: `		if at.climbs > 0 || strings.IndexByte(text, 0) >= 0 {
			break`,
			New: `		if at.climbs > 1<<20 || strings.IndexByte(text, 0) >= 0 {
			break`,
			Package: tests, Test: "TestReference",
		}, {
			ID: "rules/never", Defence: "a rule that can never fire is an error",
			File:    dir + "never.go",
			Old:     `			if !k.negated && !k.leaves(checks) {`,
			New:     `			if k.negated && !k.leaves(checks) {`,
			Package: tests, Test: "TestCompileErrors",
		}, {
			ID: "rules/shadowed", Defence: "a rule that an earlier one shadows is an error",
			File:    dir + "compile.go",
			Old:     `		c.shadowed(r, c.rules[:i])`,
			New:     `		c.shadowed(r, c.rules[:0*i])`,
			Package: tests, Test: "TestRulesOfAList",
		}, {
			ID: "rules/examples", Defence: "an example that fails is an error",
			File:    dir + "example.go",
			Old:     `	} else if !fires && want {`,
			New:     `	} else if !fires && !want && fires {`,
			Package: tests, Test: "TestExamples",
		}, {
			ID: "rules/counter", Defence: "a counter that nothing counts is an error",
			File: dir + "scope.go",
			Old: `	if n.counter < 0 {
		return nil`,
			New: `	if n.counter < -1 {
		return nil`,
			Package: tests, Test: "TestCompileErrors",
		}, {
			ID: "rules/needs-state", Defence: "rules that would let calls pass when earlier ones are forgotten are known",
			File:    dir + "needs.go",
			Old:     `wanted && (c.Seen != "" || c.Flag != "") ||`,
			New:     `wanted && c.Seen != "" ||`,
			Package: tests, Test: "TestNeedsState",
		}, {
			ID: "rules/needs-reset", Defence: "so are rules whose state is reset by calls that others stop",
			File:    dir + "needs.go",
			Old:     `len(t.Reset) > 0 || `,
			New:     ``,
			Package: tests, Test: "TestNeedsState",
		}, {
			ID: "rules/asked", Defence: "a call that was not made does not count as asked",
			File:    dir + "builtin_calls.go",
			Old:     `Track: []Track{{After: true, Raise: ".asked"}},`,
			New:     `Track: []Track{{Raise: ".asked"}},`,
			Package: tests, Test: "TestAskFirst",
		},
	}
}
