package rules

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

// A command is the check that an argument vector has words and options, in any form that programs commonly take them in.
type command struct {
	words   []string
	options [][]string
}

func makeCommand(s *scope, c *Condition, _ reflect.Type) (check, error) {
	k := &command{words: c.Command.Words, options: c.Command.Options}
	if s.negated {
		return nil, errors.New("it matches more than it says, which is nothing to allow calls by: under not, use prefix")
	}
	if len(k.words) == 0 && len(k.options) == 0 {
		return nil, errors.New("it has neither words nor options")
	}
	if slices.Contains(k.words, "") {
		return nil, errors.New("an empty word")
	}
	for _, group := range k.options {
		if len(group) == 0 {
			return nil, errors.New("an empty group of options")
		}
		for _, o := range group {
			if len(o) < 2 || o[0] != '-' || o == "--" {
				return nil, fmt.Errorf("%q is no option", o)
			}
		}
	}
	return k, nil
}

func (k *command) holds(v reflect.Value, _ *call) truth {
	if !isTexts(v.Type()) {
		return unknown
	}
	found := 0
	for i := range v.Len() {
		w := solid(v.Index(i))
		if w.Kind() != reflect.String {
			return unknown
		}
		if found < len(k.words) && sameWord(w.String(), k.words[found]) {
			found++
		}
	}
	if found < len(k.words) {
		return no
	}
	for _, group := range k.options {
		if !hasOption(v, group) {
			return no
		}
	}
	return yes
}

// sameWord reports that a word of a vector is the wanted one, or a path of this program.
func sameWord(word, want string) bool {
	return word == want || path.Base(word) == want
}

// hasOption reports that a word of a vector is, or has, one of the options. What follows "--" are no options, except to a
// program that another one starts, so that makes no difference.
func hasOption(v reflect.Value, group []string) bool {
	for i := range v.Len() {
		w := solid(v.Index(i)).String()
		for _, o := range group {
			if optionIs(w, o) {
				return true
			}
		}
	}
	return false
}

// optionIs reports that a word gives the option o.
func optionIs(word, o string) bool {
	switch {
	case word == o || strings.HasPrefix(word, o+"="):
		return true
	case len(word) < 2 || word[0] != '-':
		return false
	case strings.HasPrefix(o, "--"):
		name, _, _ := strings.Cut(word, "=")
		return len(name) > 2 && strings.HasPrefix(o, name)
	case len(o) == 2 && word[1] != '-':
		return strings.IndexByte(word[1:], o[1]) >= 0
	}
	return false
}
