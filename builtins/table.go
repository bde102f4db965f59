// Package builtins holds what of Go's standard library a script may use, and
// why, and makes out of tables and of Go reflection the universe that scripts
// are checked against and the values they are bound to.
package builtins

import (
	"io"
	"time"
)

// A Member is one exported name of a package: a row of the table.
type Member struct {
	Name  string
	Value any    // see package comment of each kind; nil in a denied row
	Deny  bool   // there, but not for scripts
	Why   string // the reason, where it is denied or not plain
}

// A Package is one importable package and its rows.
type Package struct {
	Path    string
	Name    string // package name; the last element of Path if empty
	Members []Member
	Source  string // Go declarations of generic members, without bodies
}

// An Env is what the shims of a table need of the run they serve.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Args           []string
	Now            func() time.Time
	Charge         func(bytes int64) // before an allocation; does not return if it is refused
	Exit           func(code int)    // does not return
}
