package sandtrap

import (
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

const (
	// maxEchoes is how many bytes the echoes of a run may have together.
	maxEchoes = 1 << 20
	echoBytes = 64 // of each, beside its text
)

// EchoCut is the text of the last echo where there were more than are kept.
const EchoCut = "[... echoes cut: only the first are kept ...]"

// echoes collects what the policy asks for. A run that is given up may still add
// to it.
type echoes struct {
	mode EchoMode
	list []rewrite.Echo

	mu   sync.Mutex
	got  []Echo
	size int
}

// to is who gets them, nil if nobody does.
func (c *echoes) to() func(engine.Echo) {
	if c.mode == EchoNone {
		return nil
	}
	return c.add
}

func (c *echoes) add(e engine.Echo) {
	if c.mode == EchoLast && (e.ID < 0 || e.ID >= len(c.list) || !c.list[e.ID].Last) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size > maxEchoes {
		return
	}
	if c.size += len(e.Text) + len(e.Type) + echoBytes; c.size > maxEchoes {
		e = engine.Echo{Text: EchoCut}
	}
	c.got = append(c.got, Echo{Text: e.Text, Type: e.Type})
}

func (c *echoes) taken() []Echo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}
