package isolate

import (
	"fmt"
	"slices"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A Level names a set of layers.
type Level string

// The levels. Each includes the one before.
const (
	Bare     Level = "bare"     // a process, for crashes; no boundary
	Standard Level = "standard" // system calls, privileges and paths; needs no namespaces except that of users
	Strict   Level = "strict"   // also hides processes, networks, names and files
	Maximum  Level = "maximum"  // also prevents new machine code
)

var levels = []Level{Bare, Standard, Strict, Maximum}

// A Layer is one of the restrictions of a worker, as hosts see it. docs/security.md describes each.
type Layer struct {
	Name   string
	State  string // applied or missing
	Reason string // why it is missing, or how it was made
	Remedy string // how the owner of the machine can provide it, if that is known
	Level  Level  // the first of the levels that has it; empty if isolation process has it too
}

// A layer is a row of the table of all layers.
type layer struct {
	name string
	from Level // the first level that has it
	host bool  // the host makes it, else the worker applies it
	why  string

	remedy string // where it is missing, if there is one
	needs  string // the layer without which it cannot be had, if there is one
}

var layers = []layer{
	{posture.UserNamespace, Standard, true, "privileges in it are none outside; the other namespaces need it", "let this program make user namespaces", ""},
	{posture.PidNamespace, Strict, true, "no process but its own can be named, and its own end with it", "as for user_namespace", posture.UserNamespace},
	{posture.NetNamespace, Strict, true, "there is no network, not even the host's loopback", "as for user_namespace", posture.UserNamespace},
	{posture.IPCNamespace, Strict, true, "no queue or shared memory of others", "as for user_namespace", posture.UserNamespace},
	{posture.UTSNamespace, Strict, true, "no name of the host", "as for user_namespace", posture.UserNamespace},
	{posture.CgroupNamespace, Strict, true, "no paths of control groups", "as for user_namespace", posture.UserNamespace},
	{posture.MountNamespace, Strict, true, "a root of its own needs it", "as for user_namespace", posture.UserNamespace},
	{posture.Memory, Standard, true, "memory outside of the script's own count is held, too", "/proc has to be mounted", ""},
	{posture.Descriptors, Bare, false, "nothing that the host has open is passed on", "Linux 5.9 or later", ""},
	{posture.Root, Strict, false, "there is no path to open", "as for user_namespace; and /tmp has to be a directory, and the root directory not that of an initramfs", posture.MountNamespace},
	{posture.Bounding, Standard, false, "no privilege can be got", "as for user_namespace", ""},
	{posture.Rlimits, Standard, false, "files, core and descriptors are bounded", "", ""},
	{posture.Securebits, Standard, false, "root in the namespace is nobody special", "as for user_namespace", ""},
	{posture.Capabilities, Standard, false, "no privilege is left", "as for user_namespace", ""},
	{posture.NoNewPrivs, Standard, false, "no program could have more", "", ""},
	{posture.Threads, Standard, false, "it need not make any later", "", ""},
	{posture.Landlock, Standard, false, "a second wall before paths and sockets", "Linux 5.13 or later with landlock among the values of the boot parameter lsm", ""},
	{posture.Undumpable, Standard, false, "its memory cannot be read by others of its user", "", ""},
	{posture.NoWriteExec, Maximum, false, "what it writes never becomes code", "Linux 6.3 or later", ""},
	{posture.Seccomp, Standard, false, "the kernel takes no call that is not in the table", "a kernel with CONFIG_SECCOMP_FILTER", ""},
}

// cpu is the row of a layer that is there if it is asked for.
var cpu = layer{posture.CPU, Standard, true, "time of the processors is left for others", "be root, a service with Delegate=yes and DelegateSubgroup=main, or a user with a systemd manager of his own (loginctl enable-linger), where control groups have cpu", ""}

// reads is the row of another one.
var reads = layer{posture.IO, Standard, true, "disks are left for others", "be root, where control groups have io or blkio, and hand in directories on disks of this machine", ""}

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

// because gives each missing layer whose need is missing, too, that for a reason.
func because(missing []posture.Layer) {
	for _, row := range layers {
		at := slices.IndexFunc(missing, func(l posture.Layer) bool { return l.Name == row.name })
		if at >= 0 && row.needs != "" && contains(missing, row.needs) {
			missing[at].Reason = "it needs " + row.needs
		}
	}
}

// Remedy returns what the owner of a machine that lacks a layer can do, "" if nothing is
// known.
func Remedy(name string) string {
	for _, row := range append(slices.Clone(layers), cpu, reads) {
		if row.name == name {
			return row.remedy
		}
	}
	return ""
}

// From returns the first level above Bare that has the layer, "" if Bare has it.
func From(name string) Level {
	for _, row := range layers {
		if row.name == name && row.from != Bare {
			return row.from
		}
	}
	return ""
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
