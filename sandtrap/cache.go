package sandtrap

import (
	"crypto/sha256"
	"encoding/binary"
	"go/types"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// What a plan keeps of the programs it has compiled: this many, and as many as take
// this much memory. What a program takes follows from its syntax more than from the
// length of its text: 150 to 350 bytes for each node of it, with its types and code.
const (
	cachePrograms = 64
	cacheBytes    = 32 << 20
	nodeBytes     = 350
	programBytes  = 16 << 10
)

// A compiled is a program and what the engine made of it.
type compiled struct {
	prog   *rewrite.Program
	loaded engine.Loaded
	inputs []rewrite.Input
	bytes  int  // about what it takes
	prompt bool // runs need nobody who gives them up

	visited bool // code of the host may call the script from goroutines of its own

	packages []found // those of the script's own that it was compiled with
}

// A cache holds the programs that were used last, by their names, sources and inputs.
// Programs are immutable, so runs share them.
type cache struct {
	mu     sync.Mutex
	byKey  map[[sha256.Size]byte]*compiled
	recent [][sha256.Size]byte // the last one was used last
	bytes  int
}

// key stands for all of a script that its compiling sees, apart from the types of
// the inputs.
func key(s Script, inputs []rewrite.Input) [sha256.Size]byte {
	b := make([]byte, 0, len(s.Text)+64)
	add := func(part string) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(part)))
		b = append(b, part...)
	}
	add(s.name())
	add(s.Text)
	for _, in := range inputs {
		add(in.Name)
	}
	return sha256.Sum256(b)
}

// get gives nil for what is not there, or is there for inputs of other types.
func (c *cache) get(k [sha256.Size]byte, inputs []rewrite.Input) *compiled {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.byKey[k]
	if p == nil || !slices.EqualFunc(p.inputs, inputs, sameInput) {
		return nil
	}
	c.touch(k)
	return p
}

func sameInput(a, b rewrite.Input) bool { return a.Name == b.Name && types.Identical(a.Type, b.Type) }

func (c *cache) touch(k [sha256.Size]byte) {
	if i := slices.Index(c.recent, k); i >= 0 {
		c.recent = slices.Delete(c.recent, i, i+1)
	}
	c.recent = append(c.recent, k)
}

// put keeps p and drops what was not used for the longest time.
func (c *cache) put(k [sha256.Size]byte, p *compiled) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[[sha256.Size]byte]*compiled{}
	}
	if old := c.byKey[k]; old != nil {
		c.bytes -= old.bytes
	}
	c.byKey[k] = p
	c.bytes += p.bytes
	c.touch(k)
	for len(c.recent) > cachePrograms || c.bytes > cacheBytes {
		old := c.recent[0]
		c.recent = slices.Delete(c.recent, 0, 1)
		c.bytes -= c.byKey[old].bytes
		delete(c.byKey, old)
	}
}

// load takes a script through all stages, or finds it where it was kept, by its key k.
func (p *Plan) load(k [sha256.Size]byte, s Script, inputs []rewrite.Input, files *vfs.Volume) (*compiled, error) {
	own := p.finder(files)
	if own != nil {
		defer own.fs.Close()
	}
	if c := p.cache.get(k, inputs); c != nil && (own == nil && len(c.packages) == 0 || own != nil && own.unchanged(c.packages)) {
		return c, nil
	}
	src := rewrite.Source{Name: s.name(), Text: s.Text}
	if own != nil {
		src.Find = own.find
	}
	prog, err := rewrite.Compile(src, p.bounds, p.universe, inputs)
	if err != nil {
		return nil, refusal(err)
	}
	loaded, err := p.engine.Load(prog, p.table.TypeOf)
	if err != nil {
		return nil, refusal(err)
	}
	prog.Forget()
	c := &compiled{prog: prog, loaded: loaded, inputs: inputs, bytes: retained(prog), prompt: p.prompt(prog, loaded), visited: visited(prog)}
	if own != nil {
		c.packages = own.found
		c.prompt = c.prompt && len(c.packages) == 0
	}
	p.cache.put(k, c)
	return c, nil
}

// retained is about how many bytes a compiled program takes, with the packages that it
// has from its files.
func retained(prog *rewrite.Program) int { return programBytes + prog.Nodes()*nodeBytes }

// prompt reports that a run of prog can be relied on to end when it has to: its
// engine looks at the clock, and nothing of the host that it reaches takes long.
func (p *Plan) prompt(prog *rewrite.Program, loaded engine.Loaded) bool {
	if _, ok := loaded.(engine.Scheduler); !ok {
		return false
	}
	for _, b := range prog.Bindings() {
		switch b.Kind {
		case rewrite.BindConst, rewrite.BindType:
		case rewrite.BindInput:
			if _, basic := b.Object.Type().(*types.Basic); !basic {
				return false
			}
		default:
			if !p.table.Prompt(b.Path, b.Owner, b.Name) {
				return false
			}
		}
	}
	return true
}
