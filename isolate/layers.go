package isolate

import (
	"fmt"
	"slices"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A Level names a set of layers.
type Level string

// The levels. Each has what the one before has.
const (
	Bare     Level = "bare"     // a process, for crashes; no wall
	Standard Level = "standard" // system calls, privileges and paths; needs no namespaces but that of users
	Strict   Level = "strict"   // and it sees no processes, networks, names and files
	Maximum  Level = "maximum"  // and it can make no code
)

var levels = []Level{Bare, Standard, Strict, Maximum}

// A layer is a row of the table of all layers.
type layer struct {
	name string
	from Level // the first level that has it
	host bool  // the host makes it, else the worker applies it
	why  string
}

var layers = []layer{
	{wire.UserNamespace, Standard, true, "privileges in it are none outside; the other namespaces need it"},
	{wire.PidNamespace, Strict, true, "no process but its own can be named, and its own end with it"},
	{wire.NetNamespace, Strict, true, "there is no network, not even the host's loopback"},
	{wire.IPCNamespace, Strict, true, "no queue or shared memory of others"},
	{wire.UTSNamespace, Strict, true, "no name of the host"},
	{wire.CgroupNamespace, Strict, true, "no paths of control groups"},
	{wire.MountNamespace, Strict, true, "a root of its own needs it"},
	{wire.Memory, Standard, true, "memory outside of the script's own count is held, too"},
	{wire.Descriptors, Bare, false, "nothing that the host has open is passed on"},
	{wire.Root, Strict, false, "there is no path to open"},
	{wire.Rlimits, Standard, false, "files, core and descriptors are bounded"},
	{wire.Securebits, Standard, false, "root in the namespace is nobody special"},
	{wire.Capabilities, Standard, false, "no privilege is left"},
	{wire.NoNewPrivs, Standard, false, "no program could have more"},
	{wire.Landlock, Standard, false, "a second wall before paths and sockets"},
	{wire.Undumpable, Standard, false, "its memory cannot be read by others of its user"},
	{wire.NoWriteExec, Maximum, false, "what it writes never becomes code"},
	{wire.Seccomp, Standard, false, "the kernel takes no call that is not in the table"},
}

// rows are those of the level.
func (l Level) rows() ([]layer, error) {
	at := slices.Index(levels, l)
	if at < 0 {
		return nil, fmt.Errorf("isolate: no level %q; there are %v", l, levels)
	}
	rows := []layer{}
	for _, row := range layers {
		if slices.Index(levels, row.from) <= at {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// Layers lists the names of the layers of the level.
func (l Level) Layers() []string {
	rows, _ := l.rows()
	names := []string{}
	for _, row := range rows {
		names = append(names, row.name)
	}
	return names
}
