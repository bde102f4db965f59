package policyfile

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A File is what policy files, profiles and presets say together.
type File struct {
	Policy  *sandtrap.Policy // what they do not mention stays
	Guard   *guard.Policy    // nil if none has the key guard
	Budget  int64            // of the guard
	Members []Member         // attributes of functions
	Network *Network         // nil if none has the key network

	// Open gives the text of a file by its path; nil is trustedfile.Read.
	Open func(path string) ([]byte, error)

	name    string           // of the file that is read
	reading []string         // that file, and before it those that extend it
	dir     string           // of fs; empty if that is none
	base    string           // where keys come from that no file has
	sent    bool             // it was sent, and may name nothing of the machine
	places  map[string]Place // of keys, and of items of lists
}

// A Place says where a value comes from.
type Place struct {
	File string `json:"file"`           // its path; "profile NAME", "preset NAME" or "default" where it is none of the user's
	Line int    `json:"line,omitempty"` // 0 if it is in no line
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// New is a file that changes p.
func New(p *sandtrap.Policy) *File {
	return &File{Policy: p, base: "default", places: map[string]Place{}}
}

// From is the place that the value of a key comes from: "limits.timeout", "guard.deny".
func (f *File) From(key string) Place {
	if at, ok := f.places[key]; ok {
		return at
	}
	return Place{File: f.base}
}

// Override says that a flag or a variable of the environment has set the value of a key.
func (f *File) Override(key, by string) { f.places[key] = Place{File: by} }

// Read reads the file at path. The error has the path and the line.
func (f *File) Read(path string) error {
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return f.within(path, whole, func() error {
		open := f.Open
		if open == nil {
			open = trustedfile.Read
		}
		text, err := open(path)
		if err != nil {
			return err
		}
		return f.named(text)
	})
}

// Extend takes a profile or a preset for all that was there before. Profiles themselves extend presets.
func (f *File) Extend(name string) error {
	self := "profile " + name
	if text, ok := profile(name); ok && !strings.HasPrefix(f.name, "profile ") {
		*f = File{Policy: f.Policy, base: self, places: map[string]Place{}, name: f.name, reading: f.reading, sent: f.sent, Open: f.Open}
		*f.Policy = sandtrap.Policy{}
		return f.within(self, self, func() error { return f.named(text) })
	}
	p, err := sandtrap.Preset(name)
	if err != nil {
		return fmt.Errorf("%w; profiles are %s%s", err, strings.Join(Profiles(), ", "), hint(name, Names()))
	}
	*f = File{Policy: f.Policy, base: "preset " + name, places: map[string]Place{}, name: f.name, reading: f.reading, sent: f.sent, Open: f.Open}
	*f.Policy = p
	if p.Files != nil {
		f.Policy.Files = memoryFiles() // which a journal can repeat
	}
	return nil
}

// within reads a file by name, which no file that is read now may be.
func (f *File) within(name, id string, read func() error) error {
	if slices.Contains(f.reading, id) {
		return fmt.Errorf("%s extends itself", name)
	}
	before := f.name
	f.name, f.reading = name, append(f.reading, id)
	defer func() { f.name, f.reading = before, f.reading[:len(f.reading)-1] }()
	return read()
}

func (f *File) named(text []byte) error {
	if err := f.decode(text); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	return nil
}

func (f *File) decode(text []byte) error {
	root, err := document(bytes.NewReader(text), "a policy file is one document")
	if err != nil || root == nil {
		return err
	}
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		if key, value := root.Content[i], root.Content[i+1]; key.Value == "extends" {
			if err := scalar(value, f.extends); err != nil {
				return &placed{value.Line, "extends: " + err.Error()}
			}
			break
		}
	}
	return f.object("", root, f.allowed(f.keys()))
}

// extends reads what the file that is read now says to extend: a path, if it looks like one, or a name.
func (f *File) extends(name string) error {
	if !strings.ContainsAny(name, `/\`) && !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) {
		return f.Extend(name)
	}
	if f.sent {
		return errOfMachine
	}
	return f.Read(f.beside(name))
}

// beside is a path in the file that is read now, from its directory.
func (f *File) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(f.name), path)
}

// keys are those of a policy file.
func (f *File) keys() []key {
	p := f.Policy
	return []key{
		{"extends", "agent", "a profile, a preset, or the path of a policy file: all that this file does not set is as there", scalarKey(func(string) error { return nil })}, // read before
		{"limits", "", "bounds of a run", func(n *yaml.Node) error { return f.object("limits", n, limitKeys(&p.Limits)) }},
		{"std", "[fmt, math/...]", "packages of the standard library", texts(&p.Std)},
		{"exclude", `[strings.Repeat, "time.New*"]`, "packages and members to remove", texts(&p.Exclude)},
		{"echo", "last", "which bare expressions of a snippet to print: none, last, all", word(&p.Echo)},
		{"engine", "vm", "vm or yaegi", word(&p.Engine)},
		{"isolation", "none", "none, process or kernel", word(&p.Isolation)},
		{"level", "strict", "of isolation kernel: standard, strict or maximum (the default)", word((*isolate.Level)(&p.Level))},
		{"allow_degraded", "false", "run even if layers of the isolation are missing", truth(&p.AllowDegraded)},
		{"seed", "1", "with seed and epoch, each run is the same", func(n *yaml.Node) error { return n.Decode(&p.Seed) }},
		{"epoch", "2026-01-01T00:00:00Z", "the time at which the clock of scripts starts", func(n *yaml.Node) error { return n.Decode(&p.Epoch) }},
		{"fs", "mem", "none, mem, dir:PATH or dir:PATH:rw", scalarKey(f.SetFS)},
		{"allow_paths", `[/usr/share/dict, "~/data:rw"]`, "directories that scripts see at the same paths", f.allowPaths},
		{"secrets", "false", "allow_paths and fs also show .env, .ssh, keys and other secrets", func(n *yaml.Node) error {
			var show bool
			err := truth(&show)(n)
			ShowSecrets(show, &p.Files)
			return err
		}},
		{"network", "", "requests that scripts may make; without it they have no package net/http", f.networkObject},
		{"members", "", "what functions of `--tools` declare, by their names", f.members},
		{"guard", "", "which calls of functions may be made; without it functions that declare something are closed", f.guard},
	}
}

// allowPaths adds to the paths of a file that is extended.
func (f *File) allowPaths(n *yaml.Node) error {
	return each(n, func(e *yaml.Node) error {
		return scalar(e, func(s string) error {
			if path, _, err := vfs.SplitPath(s); err == nil {
				f.mark("allow_paths "+path, e)
			}
			return AllowPath(s, &f.Policy.Files)
		})
	})
}

// mark says that the value of a key is in the line of n.
func (f *File) mark(key string, n *yaml.Node) { f.places[key] = Place{f.name, n.Line} }

// placed is an error in a line of a policy file.
type placed struct {
	line int
	text string
}

func (p *placed) Error() string { return fmt.Sprintf("line %d: %s", p.line, p.text) }

// object calls the setter of each key of n, which is at the path. A key without one is an error: what
// nobody reads must not look like a rule.
func (f *File) object(path string, n *yaml.Node, keys []key) error {
	what := "policy"
	if path != "" {
		what = path
	}
	return fields(what, n, func(name, value *yaml.Node) error {
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == name.Value })
		if i < 0 {
			var names []string
			for _, k := range keys {
				names = append(names, k.name)
			}
			return &placed{name.Line, fmt.Sprintf("no key %q in %s%s", name.Value, what, hint(name.Value, names))}
		}
		f.mark(strings.TrimPrefix(path+"."+name.Value, "."), name)
		return keys[i].set(value)
	})
}

// fields calls do for the keys of n and their values. Its errors get the line.
func fields(what string, n *yaml.Node, do func(name, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return &placed{n.Line, what + ": want keys and values"}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if seen[name.Value] {
			return &placed{name.Line, fmt.Sprintf("key %q stands twice", name.Value)}
		}
		seen[name.Value] = true
		err := do(name, value)
		if _, nested := errors.AsType[*placed](err); err != nil && !nested {
			err = &placed{value.Line, fmt.Sprintf("%s: %v", name.Value, err)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hint is a question about the nearest of names, or empty.
func hint(name string, names []string) string {
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
