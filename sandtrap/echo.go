package sandtrap

import (
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

const (
	// maxEchoes is how many bytes the echoes of a run may have together.
	maxEchoes = 1 << 20
	echoBytes = 64 // of each, beside its text
)

// echoCut is the text of the last echo where there were more than are kept.
const echoCut = "[... echoes cut: only the first are kept ...]"

// echoes collects what the policy asks for. A run that is given up may still add
// to it.
type echoes struct {
	mode EchoMode
	list []parse.Echo

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
		e = engine.Echo{Text: echoCut}
	}
	c.got = append(c.got, Echo{Text: e.Text, Type: e.Type})
}

func (c *echoes) taken() []Echo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}

// A Print is one call of fmt.Print, Printf or Println, with its arguments.
type Print struct {
	Text string // what it printed

	// Values are its arguments, for Printf those after the format, in the form of
	// Result.Vars and copied at the time of the call. A value that cannot be copied, such as
	// a channel or a pointer to a value of the host, is represented by its text.
	Values []any
	Types  []string // of Values, as Go writes them
}

// printsCut is the text of the last Print where there were more than are kept.
const printsCut = "[... prints cut: only the first are kept ...]"

// Decode stores argument i, from 0, in the variable that into points to, like
// (*Result).Decode.
func (p *Print) Decode(i int, into any) error {
	return decodeOf(p.Values, i, "argument", into)
}

const (
	maxPrints  = 1 << 20 // bytes that the prints of a run may have together
	printBytes = 64      // of each, and of each part of a value
)

// prints collects them. A run that is given up may still add to it.
type prints struct {
	wanted bool

	mu   sync.Mutex
	got  []Print
	size int64
}

// room is how many parts of values there is room for.
func (c *prints) room() int {
	if !c.wanted {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size > maxPrints {
		return 0
	}
	return int((maxPrints - c.size) / printBytes)
}

// cost is how many bytes a print takes.
func cost(text string, parts int) int64 { return int64(len(text)) + printBytes*int64(parts+1) }

func (c *prints) add(p Print, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size > maxPrints {
		return
	}
	if c.size += size; c.size > maxPrints {
		p = Print{Text: printsCut}
	}
	c.got = append(c.got, p)
}

func (c *prints) taken() []Print {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}

// notes are the prints of the run that is going on.
type notes struct{ env *runEnv }

func (n notes) Room() int { return n.env.now.prints.room() }

func (n notes) Add(text string, values []any, types []string, parts int) {
	size := cost(text, parts)
	n.env.Gates.Charge(size)
	n.env.now.prints.add(Print{text, values, types}, size)
}
