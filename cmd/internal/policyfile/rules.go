package policyfile

import (
	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

func (f *File) ruleKeys(r *rules.Rule) []key {
	return []key{
		{"name", "reports_only", "unique among the rules", word(&r.Name)},
		{"use", "max_calls", "a built-in rule", word(&r.Use)},
		{"with", "{n: 3}", "its settings", byName(&r.With, value)},
		{"on", "[writeFile]", "patterns of members", texts(&r.On)},
		{"after", "false", "the rule looks at the results of a call", truth(&r.After)},
		{"when", "", "conditions, which all must hold", f.conditions("guard.rules.when", &r.When)},
		{"do", "block", "block, ask, warn or remind", word(&r.Do)},
		{"text", "'write below /reports, not to {path}'", "why, and what to do instead; {path} is the argument of that name", word(&r.Text)},
		{"track", "", "the state that conditions ask for", f.tracks(&r.Track)},
		{"match", "", "calls for which the rule has to fire: they are tried when the file is read", f.examples("guard.rules.match", &r.Match)},
		{"nomatch", "", "calls for which it must not fire", f.examples("guard.rules.nomatch", &r.NoMatch)},
	}
}

// list reads objects with the keys that are given for each.
func list[T any](f *File, path string, to *[]T, keys func(*T) []key) setter {
	return func(n *yaml.Node) error {
		*to = nil
		return each(n, func(e *yaml.Node) error {
			var item T
			err := f.object(path, e, keys(&item))
			*to = append(*to, item)
			return err
		})
	}
}

// one reads one such object.
func one[T any](f *File, path string, to **T, keys func(*T) []key) setter {
	return pointer(to, func(item *T) setter {
		return func(n *yaml.Node) error { return f.object(path, n, keys(item)) }
	})
}

func (f *File) conditions(path string, to *[]rules.Condition) setter {
	return list(f, path, to, func(c *rules.Condition) []key { return f.conditionKeys(path, c) })
}

func (f *File) conditionKeys(path string, c *rules.Condition) []key {
	return []key{
		{"param", "path", "a parameter, or what is in it: opts.Mode, headers.Host, to[], return.0", word(&c.Param)},
		{"each", "any", "for `to[]`: any or all of the elements", word(&c.Each)},
		{"path", `["/reports/**"]`, "patterns of paths", texts(&c.Path)},
		{"base", "/work", "where relative paths are", word(&c.Base)},
		{"url", `["https://example.com/**"]`, "patterns of URLs", texts(&c.URL)},
		{"equals", "draft", "a value", value(&c.Equals)},
		{"in", "[draft, final]", "one of these values", values(&c.In)},
		{"not_in", "[secret]", "none of these values", values(&c.NotIn)},
		{"range", "{max: 100}", "bounds of a number", one(f, path+".range", &c.Range, boundsKeys)},
		{"length", "{max: 4096}", "bounds of a length", one(f, path+".length", &c.Length, boundsKeys)},
		{"regexp", "'^[a-z]+$'", "a regular expression", word(&c.Regexp)},
		{"prefix", "[git, status]", "the first words of an argument vector; for a text: regexp", texts(&c.Prefix)},
		{"suffix", "[--dry-run]", "the last words of an argument vector; for a text: regexp", texts(&c.Suffix)},
		{"command", "{words: [rm]}", "words and groups of options of an argument vector", one(f, path+".command", &c.Command, commandKeys)},
		{"nil", "true", "the value is nil, or is not", pointer(&c.Nil, truth)},
		{"seen", "read", "the value is in a set", word(&c.Seen)},
		{"not_seen", "read", "the value is not in a set", word(&c.NotSeen)},
		{"count", "{of: writes, min: 3}", "bounds of a counter", one(f, path+".count", &c.Count, countKeys)},
		{"flag", "tested", "the flag is raised", word(&c.Flag)},
		{"error", "not_exist", "after a call: it returned no error (none), one (any), or that a file is not there (not_exist)", word(&c.Error)},
		{"all", "", "conditions, which all must hold", f.conditions(path+".all", &c.All)},
		{"any", "", "conditions, of which one must hold", f.conditions(path+".any", &c.Any)},
		{"not", "", "a condition that must not hold", one(f, path+".not", &c.Not, func(n *rules.Condition) []key { return f.conditionKeys(path+".not", n) })},
	}
}

func boundsKeys(r *rules.Range) []key {
	return []key{
		{"min", "1", "the least value; whole numbers beyond 2^53, and durations such as `\"90s\"`, are texts", value(&r.Min)},
		{"max", "100", "the greatest value", value(&r.Max)},
	}
}

func countKeys(c *rules.Count) []key {
	return []key{
		{"of", "writes", "the counter", word(&c.Of)},
		{"min", "3", "the least value", pointer(&c.Min, whole)},
		{"max", "10", "the greatest value", pointer(&c.Max, whole)},
	}
}

func commandKeys(c *rules.Command) []key {
	return []key{
		{"words", "[git, push]", "words in this order, options aside", texts(&c.Words)},
		{"options", "[[-f, --force]]", "groups, of which each needs one option", func(n *yaml.Node) error {
			c.Options = nil
			return each(n, func(e *yaml.Node) error {
				var group []string
				err := texts(&group)(e)
				c.Options = append(c.Options, group)
				return err
			})
		}},
	}
}

func (f *File) tracks(to *[]rules.Track) setter {
	return list(f, "guard.rules.track", to, f.trackKeys)
}

func (f *File) trackKeys(t *rules.Track) []key {
	return []key{
		{"on", "[readFile]", "patterns of members; those of the rule if there are none", texts(&t.On)},
		{"after", "true", "after the call", truth(&t.After)},
		{"when", "", "conditions, which all must be known to hold", f.conditions("guard.rules.track.when", &t.When)},
		{"add", "{set: read, param: path, as: path}", "a value that is added to a set", one(f, "guard.rules.track.add", &t.Add, addKeys)},
		{"count", "writes", "a counter that is counted up", word(&t.Count)},
		{"raise", "tested", "a flag that is raised", word(&t.Raise)},
		{"reset", "[writes]", "counters, flags and sets that are reset", texts(&t.Reset)},
	}
}

func addKeys(a *rules.Add) []key {
	return []key{
		{"set", "read", "the set", word(&a.Set)},
		{"param", "path", "the parameter", word(&a.Param)},
		{"as", "path", "path or url: forms of the same one are one value", word(&a.As)},
		{"base", "/work", "where relative paths are", word(&a.Base)},
	}
}

func (f *File) examples(path string, to *[]rules.Example) setter {
	return list(f, path, to, exampleKeys)
}

func exampleKeys(e *rules.Example) []key {
	return []key{
		{"member", "writeFile", "may be left out if the rule has one member", word(&e.Member)},
		{"args", "{path: /etc/passwd}", "by parameter; others are zero", byName(&e.Args, value)},
		{"results", "[null]", "results, for rules with after", values(&e.Results)},
		{"error", "not found", "the text of the last result", word(&e.Error)},
		{"sets", "{read: [a]}", "the state before the call", byName(&e.Sets, values)},
		{"counts", "{writes: 3}", "the state before the call", byName(&e.Counts, whole)},
		{"flags", "[tested]", "the state before the call", texts(&e.Flags)},
	}
}
