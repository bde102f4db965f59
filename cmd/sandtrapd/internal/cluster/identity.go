package cluster

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
)

// A Role says what a key is for.
type Role string

// The roles.
const (
	RoleWorker Role = "worker" // does jobs, and sees those alone that it does
	RoleFront  Role = "front"  // gives jobs, and sees all
)

// An Identity is a key, an nkey of NATS, with the name of its worker or front. Servers know its public part alone.
type Identity struct {
	Role Role
	Name string
	pair nkeys.KeyPair
}

// NewIdentity makes a key.
func NewIdentity(role Role, name string) (*Identity, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	pair, err := nkeys.CreateUser()
	return &Identity{role, name, pair}, err
}

// checkName is an error about a name that cannot be a part of a subject.
func checkName(name string) error {
	if !token(name) {
		return fmt.Errorf("the name %.70q: want 1 to 64 letters, digits, - and _", name)
	}
	return nil
}

// Public is the public part of the key.
func (i *Identity) Public() string {
	public, err := i.pair.PublicKey()
	if err != nil {
		panic(err) // a pair always has one
	}
	return public
}

// Write writes the key into a file that does not exist yet, for this user alone.
func (i *Identity) Write(path string) error {
	seed, err := i.pair.Seed()
	if err != nil {
		return err
	}
	return create(path, fmt.Sprintf("%s %s %s\n", i.Role, i.Name, seed))
}

// create makes a file that does not exist yet, for this user alone, and has it on disk.
func create(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// ReadIdentity reads a key for a role from a file, which nobody else may read.
func ReadIdentity(path string, role Role) (*Identity, error) {
	text, err := trustedfile.ReadSecret(path)
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(text))
	if len(fields) != 3 || checkName(fields[1]) != nil {
		return nil, fmt.Errorf("%s: want a key, as \"sandtrapd cluster add-%s\" writes it", path, role)
	}
	if fields[0] != string(role) {
		return nil, fmt.Errorf("%s: it is the key of a %s, and that of a %s is needed", path, fields[0], role)
	}
	pair, err := nkeys.FromSeed([]byte(fields[2]))
	if err == nil {
		var public string
		if public, err = pair.PublicKey(); err == nil && !nkeys.IsValidPublicUserKey(public) {
			err = errors.New("not that of a user")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the key is malformed", path) // the error of nkeys may not show a part of it
	}
	return &Identity{role, fields[1], pair}, nil
}

// option has a connection be of the key. The server is told its public part, and a signature of what the server has sent.
func (i *Identity) option() nats.Option { return nats.Nkey(i.Public(), i.pair.Sign) }
