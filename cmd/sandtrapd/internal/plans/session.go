package plans

import (
	"context"
	"path"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Sandbox makes a sandbox whose scripts have these files in their working directory, and in /tmp others, which end with it. All
// else is read-only. Runs of the box have to be such that HasFiles and Waits allow that.
func (b *Box) Sandbox(ctx context.Context, tenant string, work afero.Fs) (*sandtrap.Sandbox, error) {
	return b.sandbox(ctx, tenant, work)
}

// HasFiles reports that scripts have files in memory. Without it they have none, or those of a directory of the machine.
func (b *Box) HasFiles() bool { return b.memory }

// opened is the policy whose sandboxes begin with files that are given for each, if it says that they are in memory.
func (b *Box) opened() sandtrap.Policy {
	p := b.Policy
	if p.Files == nil || p.Files.Open != nil {
		return p
	}
	files := *b.Policy.Files
	cwd, at := path.Join("/", files.Cwd), b.Policy.Epoch
	files.Open = func() (afero.Fs, error) { // within sandbox
		switch {
		case b.given == nil:
			return vfs.MemAt(at), nil
		case cwd == "/":
			return vfs.Mount(b.given, "/tmp", vfs.MemAt(at)), nil
		}
		return vfs.Mount(vfs.Mount(vfs.ReadOnly(vfs.MemAt(at)), cwd, b.given), "/tmp", vfs.MemAt(at)), nil
	}
	p.Files, b.memory = &files, true
	return p
}

// sandbox makes a sandbox for a tenant, with files if some are given.
func (b *Box) sandbox(ctx context.Context, tenant string, work afero.Fs) (*sandtrap.Sandbox, error) {
	b.opening.Lock()
	defer b.opening.Unlock()
	b.given = work
	defer func() { b.given = nil }()
	if b.pool != nil {
		return b.pool.Sandbox(ctx, tenant)
	}
	return b.plan.New(ctx)
}
