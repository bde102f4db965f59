package guarded

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// filePrefix begins the names of operations on files, as members.
const filePrefix = "file."

// Files describes the operations on files for a guard. Their parameter is path, absolute and without links; those with a second
// path have to. Their result is an error that is nil, since what becomes of an operation is
// not known when it is decided; rules are told before a file is made that a file.read has not found it.
func Files() (list []decide.Member) {
	text, failed := reflect.TypeFor[string](), []reflect.Type{reflect.TypeFor[error]()}
	for _, op := range vfs.Ops() {
		m := decide.Member{Name: filePrefix + string(op), Params: []string{"path"}, Types: []reflect.Type{text}, Results: failed}
		if op.Two() {
			m.Params, m.Types = append(m.Params, "to"), append(m.Types, text)
		}
		list = append(list, m)
	}
	return list
}

// IsFile reports that a member is an operation on files.
func IsFile(member string) bool {
	op, ok := strings.CutPrefix(member, filePrefix)
	return ok && slices.Contains(vfs.Ops(), vfs.Op(op))
}

// DecideFile decides about an operation on files of the run of ctx.
func DecideFile(ctx context.Context, op vfs.Operation) error {
	run := decide.RunOf(ctx)
	name := filePrefix + string(op.Op)
	if run == nil {
		return &vfs.Refused{Reason: name + " is not allowed: it is done outside of a run"}
	}
	args := []reflect.Value{reflect.ValueOf(op.Path)}
	if op.Op.Two() {
		args = append(args, reflect.ValueOf(op.To))
	}
	if op.New { // who makes a file has looked for it
		missing := reflect.New(reflect.TypeFor[error]()).Elem()
		missing.Set(reflect.ValueOf(fs.ErrNotExist))
		run.Notice(filePrefix+string(vfs.OpRead), args, []reflect.Value{missing})
	}
	_, err := run.Call(ctx, name, Site(ctx), args, func() []reflect.Value {
		return []reflect.Value{reflect.Zero(reflect.TypeFor[error]())}
	})
	if d, ok := errors.AsType[*decide.Denied](err); ok {
		return &vfs.Refused{Reason: d.Error()}
	} else if err != nil {
		return &vfs.Refused{Reason: name + " is not allowed: its approver answers later, and files are there now or not at all"}
	}
	return nil
}
