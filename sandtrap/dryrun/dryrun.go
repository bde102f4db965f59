// Package dryrun runs a script and does nothing: it lists the calls of host functions that the script would make, how the guard of the
// policy decides about them, and the files that it would change. Functions are answered by stubs, by given results, by a
// journal, or by zero values.
//
// It may not call a function of the policy, ask anybody for approval, or change a file.
package dryrun

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Options say what functions return. A call is answered by a stub of its function, or else by the Answers, by the journal, or with
// zero values and no error. The zero value is valid.
type Options struct {
	// Stubs are functions by the names of members: "send", "example.com/mail.Send". Each has the parameters and results of the
	// function that it stands for, with a leading context.Context or without.
	Stubs map[string]any

	// Answers are results in JSON. Of those that fit a call it gets the first that no call has had, or else the last.
	Answers []Answer

	// Journal, if not nil, is the journal of a run of package durable, whose Box.Key is Key. A call gets what the first call there of
	// the same function with the same arguments returned, the next such call what the second one did.
	Journal io.Reader
	Key     []byte
}

// An Answer is the outcome of calls of a function.
type Answer struct {
	Member string          // its name
	Args   json.RawMessage // of the calls that it fits, an object by the names of the parameters; empty for all
	Result json.RawMessage // the result in JSON, an array of them for a function with more than one; empty for none

	// Err is its error. A function without an error result panics with the text.
	Err error
}

// A Report says what a script would do.
type Report struct {
	Calls []Call   `json:"calls"` // in the order in which they began
	Files []Change `json:"files"` // by path

	// MoreCalls and MoreFiles are how many there were beyond what a report has: 10,000 calls with 16 MiB of arguments, and 10,000
	// files.
	MoreCalls int `json:"more_calls"`
	MoreFiles int `json:"more_files"`

	// Result is that of the run in which nothing was done.
	Result *sandtrap.Result `json:"-"`
}

// A Call is a call of a host function, a request, or an operation on files that would be denied or asked about.
type Call struct {
	N        int             `json:"n"`    // from 1
	Name     string          `json:"name"` // as scripts write it; "example.com/mail.Send" by the path of a package; "file.write"
	Args     json.RawMessage `json:"args"` // an object by the names of the parameters
	At       string          `json:"at"`   // where the script calls it, file:line; of a worker, as that says
	Decision record.Decision `json:"decision"`
	Code     decide.Code     `json:"code,omitempty"`     // of the gate that denies it
	Rule     string          `json:"rule,omitempty"`     // that denies it or asks, if one does
	Why      string          `json:"why,omitempty"`      // it is denied, or asked about
	Withheld string          `json:"withheld,omitempty"` // why a rule would keep its results from the script
	Answer   Source          `json:"answer,omitempty"`   // empty if it is denied
}

// A Source says where the results of a call were from.
type Source string

// The sources.
const (
	FromStub    Source = "stub"
	FromAnswer  Source = "answer"
	FromJournal Source = "journal"
	FromZero    Source = "zero" // zero values and no error: what the function returns may lead elsewhere
)

// A Change is a path that would be another one after the run. Times are not compared.
type Change struct {
	Path   string         `json:"path"` // absolute, as scripts see it
	Kind   vfs.ChangeKind `json:"kind"`
	Before *State         `json:"before,omitempty"` // nil if nothing is there
	After  *State         `json:"after,omitempty"`  // likewise

	// Diff has the lines that differ, in the unified format without the names of the files, for a text of 64 KiB at most, as long as
	// these texts have no more than 4 MiB together, and all Diffs 1 MiB.
	Diff string `json:"diff,omitempty"`
}

// A State is what is at a path.
type State struct {
	Mode   string `json:"mode"`             // as (fs.FileMode).String writes it
	Size   int64  `json:"size"`             // of a file
	SHA256 string `json:"sha256,omitempty"` // in hex, of a file that is new or changed and has no Diff
	Link   string `json:"link,omitempty"`   // where a symbolic link leads
}

// Run runs the script as (*sandtrap.Sandbox).Run does in a sandbox of its own, with Script.Copy, and does nothing. The Report and its Result
// are never nil. The error is that of the run, which the Result has, or about the policy, and then matches sandtrap.ErrPolicy, or
// about the options or the script.
//
// The guard of the policy decides as ever, but nobody is asked: a call that needs approval is listed as one, and taken as
// approved. It spends a budget of its own, which has what is left of that of the policy, its rates begin anew, and it
// records nothing. A Decider is asked. Audit and Uncalled are not called.
//
// Files.Open is called. What it returns is read, and so are the directories of Files.Paths; changes are kept in memory, within
// Files.Quota, which also bounds how large files may be that the script changes a part of. Errors of the disk, such as that it is full or
// does not let the process write, do not happen.
//
// These policies have no dry run: one that gives scripts what they use without calling a function, such as types with methods,
// variables, and memory of the host; one with Wrappers, which are the host's code; one whose Guard is not a *guard.Policy and
// has no method Rehearsal like that. A script has no Funcs. Methods that print a value, Error and String, are called on
// values of stubs.
//
// The script runs: it uses up its time and its memory, reads its Stdin, and writes to its Stdout, Stderr and Events.
func Run(ctx context.Context, p sandtrap.Policy, script sandtrap.Script, o Options) (*Report, error) {
	rep := &Report{Calls: []Call{}, Files: []Change{}, Result: &sandtrap.Result{}}
	if len(script.Funcs) > 0 {
		return rep, errors.New("dryrun: a script has no Funcs: nothing is left of it to be called")
	}
	l := &list{members: map[string]*member{}}
	if err := l.rehearse(&p, &o); err != nil {
		return rep, err
	}
	preview, err := previewed(&p)
	if err != nil {
		return rep, err
	}
	box, err := sandtrap.New(ctx, p)
	if l.wrong != nil {
		err = l.wrong
	}
	if err != nil {
		return rep, err
	}
	defer box.Close()
	script.Copy = true
	rep.Result, err = box.Run(ctx, script)
	rep.Calls, rep.MoreCalls = l.copied()
	if preview != nil {
		var failed error
		if rep.Files, rep.MoreFiles, failed = changes(preview); failed != nil && err == nil {
			err = failed
		}
	}
	return rep, err
}
