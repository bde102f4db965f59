package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// parseJournal reads the flags and the journal's name of resume and replay.
func (c *call) parseJournal(name string, args []string) (*options, []durable.Answer, error) {
	o := &options{}
	var answers []durable.Answer
	add := func(s string, make func(text string) (durable.Answer, error)) error {
		id, text, ok := strings.Cut(s, "=")
		n, err := strconv.Atoi(id)
		if !ok || err != nil {
			return errors.New("want ID=..., with the number of a call that waits")
		}
		a, err := make(text)
		a.ID = n
		answers = append(answers, a)
		return err
	}
	fs := newFlags(name)
	fs.BoolVar(&o.json, "json", false, "")
	fs.StringVar(&o.artifacts, "artifacts", "", "")
	fs.Func("isolation", "", func(s string) error { o.isolation = sandtrap.Isolation(s); return nil })
	fs.Func("answers", "", func(s string) (err error) {
		list, err := answersOf(s, c.stdin)
		answers = append(answers, list...)
		return err
	})
	fs.Func("answer", "", func(s string) error {
		return add(s, func(text string) (durable.Answer, error) {
			if !json.Valid([]byte(text)) {
				return durable.Answer{}, errors.New("not JSON (text needs quotes: 3='\"text\"')")
			}
			return durable.Answer{Result: json.RawMessage(text)}, nil
		})
	})
	fs.Func("error", "", func(s string) error {
		return add(s, func(text string) (durable.Answer, error) { return durable.Answer{Err: errors.New(text)}, nil })
	})
	fs.Func("approve", "", func(s string) error {
		return add(s+"=", func(string) (durable.Answer, error) { return durable.Answer{Verdict: decide.Approve, By: by()}, nil })
	})
	fs.Func("deny", "", func(s string) error {
		id, text, _ := strings.Cut(s, "=")
		return add(id+"=", func(string) (durable.Answer, error) {
			a := durable.Answer{Verdict: decide.Deny, By: by()}
			if text != "" {
				a.Err = errors.New(text)
			}
			return a, nil
		})
	})
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, nil, c.explainFlag(err, fs, name)
		}
		if args = fs.Args(); len(args) > 0 {
			if o.journal != "" {
				return nil, nil, fmt.Errorf("%s takes one journal", name)
			}
			o.journal, args = args[0], args[1:]
		}
	}
	if o.journal == "" {
		return nil, nil, fmt.Errorf("%s takes a journal, which \"sandtrap run --journal FILE\" has written", name)
	}
	return o, answers, nil
}

// by says who answers, for records.
func by() string {
	u, err := user.Current()
	if err != nil {
		return strconv.Itoa(os.Getuid())
	}
	return u.Username
}

// answersOf reads a file of answers, an object by the numbers of calls; - is standard input.
func answersOf(path string, stdin io.Reader) (list []durable.Answer, err error) {
	var text []byte
	if path == "-" {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	var all map[int]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("want an object of JSON by the numbers of calls: %w", err)
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, durable.Answer{ID: id, Result: all[id]})
	}
	return list, nil
}
