package rules_test

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// members are those that the tests of built-in rules call.
var members = []rules.Member{
	memberOf("file.read", func(string) error { return nil }, "path"),
	memberOf("file.write", func(string) error { return nil }, "path"),
	memberOf("file.remove", func(string) error { return nil }, "path"),
	memberOf("run", func([]string) error { return nil }, "args"),
	memberOf("fetch", func(string) ([]byte, error) { return nil, nil }, "url"),
	memberOf("send", func(string, []string) error { return nil }, "to", "files"),
	memberOf("search", func(string) error { return nil }, "text"),
}

// A session calls members under rules, as a guard does: a call that is not blocked is made, and returns err.
type session struct {
	set   *rules.Set
	state *rules.State
}

func newSession(t *testing.T, list ...rules.Rule) *session {
	t.Helper()
	s, err := rules.Compile(list, members)
	if err != nil {
		t.Fatal(err)
	}
	return &session{s, s.NewState()}
}

func (s *session) call(err error, member string, args ...any) (hits []rules.Hit) {
	p := s.set.For(member)
	if p == nil {
		return nil
	}
	in := values(args...)
	hits = p.Before(in, s.state)
	for _, h := range hits {
		if h.Do == rules.Block {
			return hits
		}
	}
	results := []reflect.Value{reflect.ValueOf(&err).Elem()}
	if member == "fetch" {
		results = append([]reflect.Value{reflect.ValueOf([]byte(nil))}, results...)
	}
	return append(hits, p.After(in, results, s.state)...)
}

// TestBuiltIns: each built-in rule, from its constructor and by its name, fires for the last of some calls, and not for the
// others.
func TestBuiltIns(t *testing.T) {
	type calls [][]any // member and arguments
	for _, tc := range []struct {
		rule   rules.Rule
		use    rules.Rule
		do     rules.Action
		quiet  calls // none fires
		firing calls // the last one fires
	}{
		{rules.ReadBeforeWrite(), rules.Rule{Use: "read_before_write"}, rules.Block,
			calls{{"file.read", "/a/b"}, {"file.write", "/a/./c/../b"}}, calls{{"file.read", "/a/b"}, {"file.write", "/a/c"}}},
		{rules.NoSecretsPaths(), rules.Rule{Use: "no_secrets_paths"}, rules.Block,
			calls{{"file.read", "/a/env"}, {"file.write", "/a/key.txt"}}, calls{{"file.read", "/a/./.env"}}},
		{rules.ReadsUnder("/data"), rules.Rule{Use: "reads_under", With: map[string]any{"dirs": []any{"/data"}}}, rules.Block,
			calls{{"file.read", "/data/x"}, {"file.read", "/data"}, {"file.write", "/x"}}, calls{{"file.read", "/data/../x"}}},
		{rules.WritesUnder("/data/"), rules.Rule{Use: "writes_under", With: map[string]any{"dirs": []any{"/data/"}}}, rules.Block,
			calls{{"file.write", "/data/x"}, {"file.read", "/x"}}, calls{{"file.write", "/database"}}},
		{rules.MaxWrites(2), rules.Rule{Use: "max_writes", With: map[string]any{"n": 2}}, rules.Block,
			calls{{"file.write", "/a"}, {"file.write", "/b"}}, calls{{"file.write", "/a"}, {"file.write", "/a"}, {"file.write", "/a"}}},
		{rules.MaxCalls(1, "fetch", "send"), rules.Rule{Use: "max_calls", On: []string{"fetch", "send"}, With: map[string]any{"n": 1.0}}, rules.Block,
			calls{{"fetch", "x"}}, calls{{"fetch", "x"}, {"send", "a", []string{}}}},
		{rules.MaxSize("files", 2, "send"), rules.Rule{Use: "max_size", On: []string{"send"}, With: map[string]any{"param": "files", "n": 2}}, rules.Block,
			calls{{"send", "a", []string{"1", "2"}}}, calls{{"send", "a", []string{"1", "2", "3"}}}},
		{rules.OncePerValue("to", "send"), rules.Rule{Use: "once_per_value", On: []string{"send"}, With: map[string]any{"param": "to"}}, rules.Block,
			calls{{"send", "a", []string{}}, {"send", "b", []string{}}}, calls{{"send", "a", []string{}}, {"send", "a", []string{"1"}}}},
		{rules.OnlyValues("to", []any{"a", "b"}, "send"), rules.Rule{Use: "only_values", On: []string{"send"}, With: map[string]any{"param": "to", "values": []any{"a", "b"}}}, rules.Block,
			calls{{"send", "b", []string{}}}, calls{{"send", "c", []string{}}}},
		{rules.OnlyURLs("url", []string{"https://a.example/**"}, "fetch"), rules.Rule{Use: "only_urls", On: []string{"fetch"}, With: map[string]any{"param": "url", "urls": []string{"https://a.example/**"}}}, rules.Block,
			calls{{"fetch", "https://A.example:443/x"}}, calls{{"fetch", "https://a.example@b.example/x"}}},
		{rules.NoShell("args", "run"), rules.Rule{Use: "no_shell", On: []string{"run"}, With: map[string]any{"param": "args"}}, rules.Block,
			calls{{"run", []string{"ls", "-l"}}}, calls{{"run", []string{"/usr/bin/bash", "-c", "x"}}}},
		{rules.ConfirmDestructive("args", "run"), rules.Rule{Use: "confirm_destructive", On: []string{"run"}, With: map[string]any{"param": "args"}}, rules.Ask,
			calls{{"run", []string{"rm", "x"}}, {"run", []string{"git", "push"}}}, calls{{"run", []string{"git", "push", "-f"}}}},
		{rules.ConfirmDelete("file.remove"), rules.Rule{Use: "confirm_delete", On: []string{"file.remove"}}, rules.Ask,
			calls{{"file.write", "/a"}}, calls{{"file.remove", "/a"}}},
		{rules.AskFirst("fetch"), rules.Rule{Use: "ask_first", On: []string{"fetch"}}, rules.Ask,
			calls{{"send", "a", []string{}}}, calls{{"fetch", "x"}}},
		{rules.VerifyAfterWrite(), rules.Rule{Use: "verify_after_write"}, rules.Remind,
			calls{{"file.read", "/a"}}, calls{{"file.write", "/a"}}},
		{rules.TestAfterWrites(2, "run"), rules.Rule{Use: "test_after_writes", With: map[string]any{"n": 2, "test": "run"}}, rules.Remind,
			calls{{"file.write", "/a"}, {"run", []string{}}, {"file.write", "/a"}}, calls{{"file.write", "/a"}, {"file.write", "/a"}}},
		{rules.SearchBeforeReads(1, "search"), rules.Rule{Use: "search_before_reads", With: map[string]any{"n": 1, "search": "search"}}, rules.Warn,
			calls{{"file.read", "/a"}, {"search", "x"}, {"file.read", "/b"}}, calls{{"file.read", "/a"}, {"file.read", "/b"}}},
	} {
		for form, r := range map[string]rules.Rule{"constructor": tc.rule, "name": tc.use} {
			t.Run(tc.rule.Name+"/"+form, func(t *testing.T) {
				if r.Use != "" && r.Use != tc.rule.Name {
					t.Errorf("the rule %s is used by the name %s", tc.rule.Name, r.Use)
				}
				s := newSession(t, r)
				for _, c := range tc.quiet {
					if hits := s.call(nil, c[0].(string), c[1:]...); hits != nil {
						t.Errorf("%v: %v", c, hits)
					}
				}
				s = newSession(t, r)
				for i, c := range tc.firing {
					hits := s.call(nil, c[0].(string), c[1:]...)
					if fires := i == len(tc.firing)-1; fires != (len(hits) == 1 && hits[0].Do == tc.do && hits[0].Rule == tc.rule.Name && hits[0].Text != "") {
						t.Errorf("%v: %v", c, hits)
					}
				}
			})
		}
	}
	if n := len(rules.BuiltIns()); n != 17 {
		t.Errorf("%d built-in rules, of which 17 are tested", n)
	}
}

// TestReadBeforeWriteErrors: a read that fails is none, but for a file that is not there.
func TestReadBeforeWriteErrors(t *testing.T) {
	for err, blocked := range map[error]bool{errors.New("denied"): true, fmt.Errorf("open: %w", fs.ErrNotExist): false} {
		s := newSession(t, rules.ReadBeforeWrite())
		s.call(err, "file.read", "/a")
		if hits := s.call(nil, "file.write", "/a"); (len(hits) > 0) != blocked {
			t.Errorf("after %v: %v", err, hits)
		}
	}
	s := newSession(t, rules.ReadBeforeWrite())
	if s.call(nil, "file.write", "/b"); s.call(nil, "file.write", "/b") == nil {
		t.Error("a write that was blocked counts as one")
	}
}

// TestAskFirst: a call that was not made does not count.
func TestAskFirst(t *testing.T) {
	s := newSession(t, rules.AskFirst("fetch"))
	p := s.set.For("fetch")
	for range 2 {
		if p.Before(values("x"), s.state) == nil {
			t.Error("it is not asked")
		}
	}
	if p.After(values("x"), values([]byte{}, nil), s.state); p.Before(values("x"), s.state) != nil {
		t.Error("it is asked after a call")
	}
}

// destructive are forms of commands that delete, overwrite or force.
var destructive = []string{
	"rm -rf x", "rm -fr x", "rm -r -f x", "rm -f -r x", "rm --recursive x", "rm --recursive --force x", "rm --recurs x", "rm -R x", "rm -vfR x",
	"rm x -rf", "/bin/rm -rf x", "./../bin/rm -r x", "sudo rm -rf x", "env A=b rm -rf x", "xargs rm -rf", "rm -rf -- x", "rm -I -r x", "rm --force x",
	"git reset --hard", "git reset HEAD --hard", "git -C x reset --hard", "git --no-pager reset --har", "/usr/bin/git reset --hard",
	"git push --force", "git push -f", "git push origin main -f", "git push -uf origin", "git push --force-with-lease=x", "git push --forc",
	"git clean -fd", "git clean -df", "git clean -d -f", "git clean -xdf", "git clean --force", "git branch -D x", "git checkout -f",
	"find . -delete", "find / -name x -exec rm {} ;", "chmod -R 777 x", "chown --recursive a x", "dd if=a of=b", "mkfs.ext4 /dev/sda", "shred x",
	"rsync -a --delete a b", "rsync --del a b", "truncate -s 0 x", "shutdown -h now",
}

// TestCommandForms: commands are found in each of their forms, and others are not.
func TestCommandForms(t *testing.T) {
	s := newSession(t, rules.ConfirmDestructive("args", "run"))
	for _, line := range destructive {
		if s.call(nil, "run", strings.Fields(line)) == nil {
			t.Errorf("%s: it is not asked", line)
		}
	}
	for _, line := range []string{
		"", "rm x", "ls -rf", "git status", "git push", "git push origin main", "git reset x", "git clean -n", "find . -name x", "chmod 644 x", "cat rm.txt",
		"farm -rf x", "grep -r x", "rmdir x", "echo reset --hard", "cp -rf a b",
	} {
		if hits := s.call(nil, "run", strings.Fields(line)); hits != nil {
			t.Errorf("%s: %v", line, hits)
		}
	}
}
