package tighten

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// use takes what a run could reach. A worker has said so: names that do not exist are refused later, by the policy.
func (c *collector) use(e *record.Event) error {
	var u record.Use
	if err := json.Unmarshal(e.Args, &u); err != nil {
		return fmt.Errorf("tighten: an event of kind use has other arguments than those that a guard writes: %w", err)
	}
	c.uses++
	for _, name := range u.Standard {
		c.reached[name] = true
	}
	for _, m := range u.Host {
		c.members[m.Name] = m
	}
	c.own = c.own || u.Own
	c.s.Memory, c.s.Output, c.s.Artifacts = max(c.s.Memory, u.Peak), max(c.s.Output, u.Output), max(c.s.Artifacts, u.Artifacts)
	return nil
}

// standard finds the packages of members of the standard library, and what these need.
func (c *collector) standard() error {
	used, shown := map[string][]string{}, map[string]bool{}
	for name := range c.reached {
		if path, member := split(name); path != "" {
			used[path] = append(used[path], member)
		} else {
			used[name] = append(used[name], "") // an import
		}
	}
	for path := range used {
		packages := builtins.Std(path)
		if len(packages) != 1 || packages[0].Path != path {
			return fmt.Errorf("tighten: the record names %q, which is no package that scripts can use", path)
		}
		if c.reached[path] {
			for _, other := range strings.Fields(packages[0].Shows) {
				shown[other] = true
			}
		}
		for i := range packages[0].Members {
			row := &packages[0].Members[i]
			needs := strings.Fields(row.Needs)
			if len(needs) > 0 && slices.ContainsFunc(used[path], func(member string) bool { return isOf(member, row.Name) }) {
				c.s.Files = c.s.Files || slices.Contains(needs, "files")
				c.s.Env = c.s.Env || slices.Contains(needs, "environment")
			}
		}
	}
	for path := range used {
		if c.reached[path] || !shown[path] { // else a package that is imported has the types, too
			c.s.Std = append(c.s.Std, path)
		}
	}
	slices.Sort(c.s.Std)
	return nil
}

// isOf reports that a row is about a member: it has its name, or that of its type.
func isOf(member, row string) bool { return member == row || strings.HasPrefix(member, row+".") }

// split is the import path of a member, and its name with that of its type.
func split(name string) (path, member string) {
	at := strings.LastIndex(name, "/") + 1
	dot := strings.Index(name[at:], ".")
	if dot < 0 {
		return "", name
	}
	return name[:at+dot], name[at+dot+1:]
}

// filePrefix begins the names of operations on files.
const filePrefix = "file."

// requestMember and requestPackage are the member that requests are, and its package.
const requestMember, requestPackage = "net/http.Request", "net/http"

// file takes an operation that was allowed.
func (c *collector) file(e *record.Event) {
	var args struct{ Path, To string }
	if sum := sha256.Sum256(e.Args); hex.EncodeToString(sum[:]) != e.Hash || json.Unmarshal(e.Args, &args) != nil {
		c.redacted++
		return
	}
	add(c.paths, e.Member, args.Path)
	if strings.Contains(string(e.Args), `"to":`) {
		add(c.to, e.Member, args.To)
	}
}

// makeTemporary are members that make files whose names nobody knows before.
var makeTemporary = []string{"os.CreateTemp", "os.MkdirTemp", "io/ioutil.TempFile", "io/ioutil.TempDir"}

const temporary = "/tmp/"

// temporary takes names of temporary files out of the paths.
func (c *collector) temporary() {
	if !slices.ContainsFunc(makeTemporary, func(name string) bool { return c.reached[name] }) {
		return
	}
	for _, op := range slices.Sorted(maps.Keys(c.paths)) {
		n := len(c.paths[op]) + len(c.to[op])
		for _, set := range []map[string]bool{c.paths[op], c.to[op]} {
			maps.DeleteFunc(set, func(path string, _ bool) bool { return strings.HasPrefix(path, temporary) })
		}
		if len(c.paths[op])+len(c.to[op]) < n {
			c.s.Temporary = append(c.s.Temporary, op)
		}
	}
}

func add(sets map[string]map[string]bool, op, path string) {
	if sets[op] == nil {
		sets[op] = map[string]bool{}
	}
	sets[op][path] = true
}
