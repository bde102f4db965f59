// Package policies has the policies of the server by name and version: those of the program, files of a directory, and texts that an
// admin has sent. A run notes the version with which it begins, and each version that a run has begun with is kept.
//
// It may not compile a policy, or let a text that was sent name anything of the machine.
package policies

import (
	"errors"
	"strings"
)

// ErrUnknown is matched by errors about a name or a version that there is not, or that is not for the tenant: nothing tells one from the
// other. The message names the nearest one that is.
var ErrUnknown = errors.New("no such policy")

// ErrText is matched by errors about a policy that is sent. The message says why, and has the line.
var ErrText = errors.New("malformed policy")

// ErrTaken is matched by errors about a name that a policy of the program or of the directory has.
var ErrTaken = errors.New("the name is taken")

// Default is the name of the policy of a request that names none.
const Default = "default"

// Builtin is the version of policies of the program: it is that of the program itself.
const Builtin = "builtin"

// An Info is what a list says of a policy.
type Info struct {
	Name    string   `json:"name"`
	Version string   `json:"version"` // of a run that begins now
	Source  string   `json:"source"`  // builtin, file or sent
	About   string   `json:"about"`
	Tenants []string `json:"tenants,omitempty"` // who may use it, for admins; all if there are none
}

// A Ref is name@version of a policy that a tenant was found to be allowed to use, as runs note it. It is made by Resolve, and never of what
// a client says.
type Ref string

// Name is that of the policy, without the version.
func (r Ref) Name() string {
	name, _, _ := strings.Cut(string(r), "@")
	return name
}

// Ref is that of i.
func (i *Info) Ref() Ref { return Ref(i.Name + "@" + i.Version) }
