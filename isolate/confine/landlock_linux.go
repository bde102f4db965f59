package confine

import (
	"errors"
	"fmt"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// landlockAll forbids each thread all that this kernel's Landlock can forbid. The one
// exception is to read beneath directories that were handed in. The library's own Restrict knows
// directories by their paths alone, and these have none here.
func landlockAll(p *process, profile posture.Profile) error {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil {
		abi = 0
	}
	r, err := atABI(abi)
	if err != nil {
		return err
	}
	rules, err := ll.LandlockCreateRuleset(&ll.RulesetAttr{HandledAccessFS: r.files, HandledAccessNet: r.network, Scoped: r.scopes}, 0)
	if err != nil {
		return fmt.Errorf("landlock_create_ruleset: %w", err)
	}
	defer unix.Close(rules)
	if err := p.exceptions(rules); err != nil {
		return fmt.Errorf("landlock_add_rule: %w", err)
	}
	if err := noNewPrivs(p, profile); err != nil { // or the kernel takes no rules
		return err
	}
	if err := ll.AllThreadsLandlockRestrictSelf(rules, 0); err != nil {
		return fmt.Errorf("landlock_restrict_self: %w", err)
	}
	if how := made(abi, p.opened()); how != "" {
		p.reasons[posture.Landlock] = how
	}
	return nil
}

// exceptions adds what is not forbidden.
func (p *process) exceptions(rules int) error {
	for _, root := range p.dirs {
		if root == nil {
			continue
		}
		dir, err := root.Open(".")
		if err != nil {
			return err
		}
		err = except(rules, int(dir.Fd()), ll.AccessFSReadFile|ll.AccessFSReadDir)
		if err := errors.Join(err, dir.Close()); err != nil {
			return err
		}
	}
	if !Linked {
		return nil
	}
	// While the threads get the rules, what finds them in a program linked with C lists them.
	tasks, err := unix.Open("/proc/self/task", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(tasks)
	return except(rules, tasks, ll.AccessFSReadDir)
}

func except(rules, fd int, access uint64) error {
	return ll.LandlockAddPathBeneathRule(rules, &ll.PathBeneathAttr{ParentFd: fd, AllowedAccess: access}, 0)
}
