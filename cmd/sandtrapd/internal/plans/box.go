package plans

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

// A Box runs scripts under one policy with one set of tools. Who got it from Get releases it.
type Box struct {
	Policy sandtrap.Policy
	Tools  *toolfile.File // nil if there are none

	users atomic.Int64 // of it, and one for the set
	gate  *egress.Gate
	plan  *sandtrap.Plan

	opening sync.Mutex     // of sandboxes
	given   afero.Fs       // files of the sandbox that is opened; nil if it has none before
	memory  bool           // scripts have files in memory
	pool    *sandtrap.Pool // that of waits, if there is one; nil without isolation
	places  places         // in the pool
	waits   *durable.Box   // nil if its runs cannot wait
	repeats bool           // its functions are tools, which are called once they are answered
	state   bool           // its guard has rules that may let more calls pass if earlier ones are forgotten

	portable bool   // see Portable
	Text     string // of a policy that is portable and was sent; empty for one that the program has

	index func() (*search.Index, error)
}

// acquire counts one more user. It is false if the box is closed.
func (b *Box) acquire() bool {
	for {
		n := b.users.Load()
		if n == 0 {
			return false
		}
		if b.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release ends a use. The last one closes the box.
func (b *Box) Release() {
	if b.users.Add(-1) > 0 {
		return
	}
	if b.pool != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = b.pool.Close(ctx) // its workers are killed then
	}
	if b.waits != nil {
		_ = b.waits.Close()
	}
	_ = b.closeGate()
}

func (b *Box) closeGate() error {
	if b.gate == nil {
		return nil
	}
	return b.gate.Close()
}

// addTools adds functions whose results come from the client.
func (b *Box) addTools(text string) (err error) {
	if _, err := parser.ParseFile(token.NewFileSet(), "tools.go", text, parser.PackageClauseOnly); err != nil {
		return fmt.Errorf("tools: %w: want a Go file, which begins with: package tools", err)
	}
	if b.Tools, err = toolfile.Parse("tools.go", []byte(text)); err != nil {
		return fmt.Errorf("tools: %w", err)
	}
	b.Policy.Funcs, b.Policy.Docs = map[string]any{}, b.Tools.Docs()
	for name, v := range b.Tools.Members(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return nil, errors.New("tools are answered by the client")
	}) {
		if m, ok := v.(sandtrap.Member); ok && m.Blocking {
			m.Pauses = true
			v = m
		}
		b.Policy.Funcs[name] = v
	}
	return nil
}

// onlyTools reports that a policy has no functions but those whose results come from the client.
func onlyTools(p *sandtrap.Policy) bool {
	for _, v := range p.Funcs {
		if _, isType := v.(builtins.Made); isType {
			continue
		}
		if m, ok := v.(sandtrap.Member); !ok || !m.Pauses {
			return false
		}
	}
	return len(p.Packages) == 0
}

// defaultMemory is that of a policy that says nothing of it, as package sandtrap has it: that of the preset agent.
const defaultMemory = 512 << 20

// Memory is how many bytes a run may have; math.MaxInt64 is no limit.
func (b *Box) Memory() int64 { return cmp.Or(b.Policy.Limits.Memory, defaultMemory) }

// Portable reports that another machine can do its runs as well: the policy opens nothing of this one, has no functions of the host, and
// nothing that is counted over several runs.
func (b *Box) Portable() bool { return b.portable }

// Waits reports that runs can wait for answers.
func (b *Box) Waits() bool { return b.waits != nil }

// Repeats reports that a run which has ended in the middle can be repeated: its only effects are calls that wait for answers.
func (b *Box) Repeats() bool { return b.waits != nil && b.repeats }

// Run runs a script whose policy has nothing to wait for.
func (b *Box) Run(ctx context.Context, tenant string, script sandtrap.Script) (*sandtrap.Result, error) {
	box, err := b.sandbox(ctx, tenant, nil)
	if err != nil {
		return &sandtrap.Result{}, err
	}
	defer box.Close()
	if err := b.hold(ctx, tenant); err != nil {
		return &sandtrap.Result{}, err
	}
	return box.Run(ctx, script)
}

// hold keeps a worker that runs a script of the tenant for the next one.
func (b *Box) hold(ctx context.Context, tenant string) error {
	if b.pool == nil {
		return nil
	}
	return b.places.hold(ctx, tenant, func(ctx context.Context) (*sandtrap.Sandbox, error) { return b.sandbox(ctx, tenant, nil) })
}

// Begin writes the journal of a run that can wait, for Resume. Nothing runs yet.
func (b *Box) Begin(script sandtrap.Script, journal io.Writer) error {
	return b.waits.Begin(script, journal)
}

// Pause is that of a run which waits, by its journal. The error says that no run of this box waits so.
func (b *Box) Pause(journal io.Reader) (*durable.Pause, error) { return b.waits.LoadPause(journal) }

// Resume goes on with a run that can wait, from its journal.
func (b *Box) Resume(ctx context.Context, tenant string, journal io.Reader, answers ...durable.Answer) (*sandtrap.Result, *durable.Pause, error) {
	if err := b.hold(ctx, tenant); err != nil {
		return &sandtrap.Result{}, nil, err
	}
	return b.waits.Resume(durable.WithTenant(ctx, tenant), journal, nil, answers...)
}
