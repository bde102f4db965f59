package policyfile

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// errOfMachine is the error for what a policy that was sent says of the machine.
var errOfMachine = errors.New("a policy that is sent names nothing of the machine that runs it: put a file with this where that machine reads its policies")

// ofMachine are the keys that a policy which is sent does not have: those that name files, variables and isolations of the machine.
var ofMachine = []string{"engine", "isolation", "level", "allow_degraded", "allow_paths", "secrets"}

// ReadSent reads the text of a policy file that somebody has sent. It may say less than a file: no key that opens a file, a variable or the
// network of the machine, or chooses the isolation, and it extends profiles and presets only. Errors have its name and the line.
func (f *File) ReadSent(name string, text []byte) error {
	f.sent = true
	defer func() { f.sent = false }()
	return f.within(name, name, func() error { return f.named(text) })
}

// allowed are those of keys that the file which is read now may have.
func (f *File) allowed(keys []key) []key {
	if !f.sent || strings.HasPrefix(f.name, "profile ") {
		return keys
	}
	for i, k := range keys {
		switch {
		case slices.Contains(ofMachine, k.name):
			keys[i].set = func(*yaml.Node) error { return errOfMachine }
		case k.name == "fs":
			keys[i].set = scalarKey(func(s string) error {
				if strings.HasPrefix(s, "dir:") {
					return errOfMachine
				}
				return f.SetFS(s)
			})
		}
	}
	return keys
}
