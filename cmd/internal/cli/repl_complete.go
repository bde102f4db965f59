package cli

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// completions are those of what stands before offset at in text, and where in text they begin; no cell runs while one is
// edited.
func (r *repl) completions(text string, at int) (list []string, start int) {
	name, arg, follows := strings.Cut(text[:at], " ")
	if !strings.HasPrefix(name, ":") {
		return r.names(text, at)
	}
	if !follows {
		for _, other := range slices.Sorted(maps.Keys(replCommands)) {
			list = append(list, ":"+other)
		}
		return startingWith(list, name), 0
	}
	start = at - len(strings.TrimLeft(arg, " "))
	switch cmd := replCommands[name[1:]]; cmd.args {
	case "FILE":
		return files(text[start:at]), start
	case "EXPR", "[CODE]":
		list, from := r.names(text[start:], at-start)
		return list, start + from
	case "":
		return nil, at
	}
	return startingWith(r.plan.Packages(), text[start:at]), start
}

// names are the completions in Go.
func (r *repl) names(text string, at int) (list []string, start int) {
	for start = at; start > 0 && isNameByte(text[start-1]); {
		start--
	}
	list, _ = r.session.Complete(text, at)
	return slices.DeleteFunc(list, func(name string) bool { return name == lastName }), start
}

// files are those whose path begins so, directories with a slash. One whose name cannot be shown or typed is left out.
func files(begin string) (list []string) {
	dir, name := filepath.Split(begin)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := e.Name()
		if e.IsDir() {
			path += "/"
		}
		hidden := strings.HasPrefix(path, ".") && name == ""
		if !hidden && printable(path) == path && !strings.ContainsAny(path, " \t\n") {
			list = append(list, dir+path)
		}
	}
	return startingWith(list, begin)
}

// startingWith is what in list begins so.
func startingWith(list []string, begin string) (some []string) {
	for _, s := range list {
		if strings.HasPrefix(s, begin) {
			some = append(some, s)
		}
	}
	return some
}
