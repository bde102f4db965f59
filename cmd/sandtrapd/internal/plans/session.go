package plans

import (
	"context"
	"io"
	"path"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Sandbox makes a sandbox whose scripts have these files in their working directory, and in /tmp others, which end with it. All
// else is read-only. Runs of the box have to be such that HasFiles allows that, and cannot wait.
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
	cwd, at := b.cwd(), b.Policy.Epoch
	files.Open = func() (afero.Fs, error) { // within sandbox
		if b.given == nil {
			return vfs.MemAt(at), nil
		}
		return mounted(b.given, cwd, at), nil
	}
	p.Files, b.memory = &files, true
	return p
}

// cwd is the working directory of scripts.
func (b *Box) cwd() string { return path.Join("/", b.Policy.Files.Cwd) }

// mounted are files in the working directory, with a /tmp whose files change at a time.
func mounted(work afero.Fs, cwd string, at time.Time) afero.Fs {
	if cwd != "/" {
		work = vfs.Mount(vfs.ReadOnly(vfs.MemAt(at)), cwd, work)
	}
	return vfs.Mount(work, "/tmp", vfs.MemAt(at))
}

// StartCell begins a cell of a session, for a box whose runs can wait. The files of the Base are those of the working directory. The Writer
// gets the journal of the cell as it grows.
func (b *Box) StartCell(ctx context.Context, from durable.Base, script sandtrap.Script, journal io.Writer) (*sandtrap.Result, *durable.Pause, error) {
	return b.waits.StartCell(ctx, b.rooted(from), script, journal)
}

// ResumeCell goes on with one.
func (b *Box) ResumeCell(ctx context.Context, from durable.Base, journal io.Reader, answers ...durable.Answer) (*sandtrap.Result, *durable.Pause, error) {
	return b.waits.ResumeCell(ctx, b.rooted(from), journal, nil, answers...)
}

// rooted is a Base with its files where scripts have them.
func (b *Box) rooted(from durable.Base) durable.Base {
	work := from.Files
	from.Files = func(at time.Time) *sandtrap.Files {
		return &sandtrap.Files{Open: func() (afero.Fs, error) {
			files, err := work(at).Open()
			if err != nil {
				return nil, err
			}
			return mounted(files, b.cwd(), at), nil
		}}
	}
	return from
}

// NeedsState reports that the rules of the policy may let a call pass if earlier calls of its session are forgotten.
func (b *Box) NeedsState() bool { return b.state }

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
