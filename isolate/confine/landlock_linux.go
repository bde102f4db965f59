package confine

import (
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// landlockAll forbids each thread all that this kernel's Landlock can forbid, without
// an exception.
func landlockAll(*process, wire.Profile) error {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil {
		abi = 0
	}
	r, err := atABI(abi)
	if err != nil {
		return err
	}
	c, err := landlock.NewConfig(landlock.AccessFSSet(r.files))
	if err != nil {
		return err
	}
	c.HandledAccessNet, c.Scoped = landlock.AccessNetSet(r.network), landlock.ScopedSet(r.scopes)
	return c.Restrict()
}
