package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// A BuiltIn is a rule that policy files have by its name: Rule.Use.
type BuiltIn struct {
	Name     string
	Doc      string
	Settings []string // the keys of Rule.With
	make     func(*settings) Rule
}

var builtIns = []BuiltIn{
	{"read_before_write", "blocks file.write of a file that the session has not read, or tried to read and not found", nil,
		func(*settings) Rule { return ReadBeforeWrite() }},
	{"no_secrets_paths", "blocks file.read and file.write of files that usually hold keys and passwords", nil,
		func(*settings) Rule { return NoSecretsPaths() }},
	{"reads_under", "blocks file.read outside of the directories `dirs`", []string{"dirs"},
		func(s *settings) Rule { return ReadsUnder(s.texts("dirs")...) }},
	{"writes_under", "blocks file.write outside of the directories `dirs`", []string{"dirs"},
		func(s *settings) Rule { return WritesUnder(s.texts("dirs")...) }},
	{"max_writes", "blocks calls of file.write after `n` of them", []string{"n"},
		func(s *settings) Rule { return MaxWrites(s.number("n")) }},
	{"max_calls", "blocks calls of `on` after `n` of them", []string{"n"},
		func(s *settings) Rule { return MaxCalls(s.number("n"), s.on()...) }},
	{"max_size", "blocks calls of `on` with more than `n` bytes or elements in `param`", []string{"param", "n"},
		func(s *settings) Rule { return MaxSize(s.text("param"), s.number("n"), s.on()...) }},
	{"once_per_value", "blocks calls of `on` with a value of `param` that a call before had", []string{"param"},
		func(s *settings) Rule { return OncePerValue(s.text("param"), s.on()...) }},
	{"only_values", "blocks calls of `on` unless `param` is one of `values`", []string{"param", "values"},
		func(s *settings) Rule { return OnlyValues(s.text("param"), s.list("values"), s.on()...) }},
	{"only_urls", "blocks calls of `on` unless the URL `param` matches one of `urls`", []string{"param", "urls"},
		func(s *settings) Rule { return OnlyURLs(s.text("param"), s.texts("urls"), s.on()...) }},
	{"no_shell", "blocks calls of `on` whose argument vector `param` starts a shell, or a program that runs others", []string{"param"},
		func(s *settings) Rule { return NoShell(s.text("param"), s.on()...) }},
	{"confirm_destructive", "asks about calls of `on` whose argument vector `param` deletes, overwrites or forces", []string{"param"},
		func(s *settings) Rule { return ConfirmDestructive(s.text("param"), s.on()...) }},
	{"confirm_delete", "asks about each call of `on`, which delete something", nil,
		func(s *settings) Rule { return ConfirmDelete(s.on()...) }},
	{"ask_first", "asks about calls of `on` until one has been made", nil,
		func(s *settings) Rule { return AskFirst(s.on()...) }},
	{"verify_after_write", "reminds the script after file.write to read what it wrote", nil,
		func(*settings) Rule { return VerifyAfterWrite() }},
	{"test_after_writes", "reminds the script after `n` calls of file.write without one of `test`", []string{"n", "test"},
		func(s *settings) Rule { return TestAfterWrites(s.number("n"), s.text("test")) }},
	{"search_before_reads", "warns of calls of file.read after `n` of them without one of `search`", []string{"n", "search"},
		func(s *settings) Rule { return SearchBeforeReads(s.number("n"), s.text("search")) }},
}

// BuiltIns are the built-in rules, by their names in policy files. Each has a constructor here.
func BuiltIns() []BuiltIn { return slices.Clone(builtIns) }

// expand is r with the built-in rule that it uses.
func (r Rule) expand() (Rule, error) {
	if r.Use == "" {
		if len(r.With) > 0 {
			return r, fmt.Errorf("with is for built-in rules: there is no use")
		}
		return r, nil
	}
	i := slices.IndexFunc(builtIns, func(b BuiltIn) bool { return b.Name == r.Use })
	if i < 0 {
		var names []string
		for _, b := range builtIns {
			names = append(names, b.Name)
		}
		r.Name = cmp.Or(r.Name, r.Use)
		return r, fmt.Errorf("use: there is no built-in rule %q%s", r.Use, hint(r.Use, names))
	}
	s := &settings{rule: &r, with: maps.Clone(r.With)}
	b := builtIns[i].make(s)
	for _, name := range slices.Sorted(maps.Keys(s.with)) {
		s.fail("with: there is no setting %q%s", name, hint(name, builtIns[i].Settings))
	}
	if s.err != nil {
		return b.with(r), s.err
	}
	return b.with(r), nil
}

// with is the built-in rule b with what r says.
func (b Rule) with(r Rule) Rule {
	if r.Name != "" {
		b.Name = r.Name
	}
	if len(r.On) > 0 {
		b.On = r.On
	}
	if r.Do != "" {
		b.Do = r.Do
	}
	if r.Text != "" {
		b.Text = r.Text
	}
	b.After = b.After || r.After
	b.When = slices.Concat(b.When, r.When)
	b.Track = slices.Concat(b.Track, r.Track)
	b.Match, b.NoMatch = slices.Concat(b.Match, r.Match), slices.Concat(b.NoMatch, r.NoMatch)
	return b
}

// A settings reads those of a built-in rule, and keeps the first error.
type settings struct {
	rule *Rule
	with map[string]any
	err  error
}

func (s *settings) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

func (s *settings) take(name string) any {
	x, given := s.with[name]
	if delete(s.with, name); !given {
		s.fail("with: %s is missing", name)
	}
	return x
}

// on are the members of the rule.
func (s *settings) on() []string {
	if len(s.rule.On) == 0 {
		s.fail("%s needs on", s.rule.Use)
	}
	return s.rule.On
}

func (s *settings) text(name string) string {
	text, ok := s.take(name).(string)
	if !ok || text == "" {
		s.fail("with: %s is a text", name)
	}
	return text
}

func (s *settings) number(name string) int64 {
	n, err := parseNumber(s.take(name), anyType)
	if err != nil || n.isFloat || n.whole.negative || n.whole.bits > 1<<53 {
		s.fail("with: %s is a whole number, not negative", name)
	}
	return int64(n.whole.bits)
}

func (s *settings) list(name string) []any {
	switch list := s.take(name).(type) {
	case []any:
		return list
	case []string:
		out := make([]any, len(list))
		for i, text := range list {
			out[i] = text
		}
		return out
	}
	s.fail("with: %s is a list", name)
	return nil
}

func (s *settings) texts(name string) (texts []string) {
	for _, x := range s.list(name) {
		text, ok := x.(string)
		if !ok {
			s.fail("with: %s is a list of texts", name)
		}
		texts = append(texts, text)
	}
	return texts
}
