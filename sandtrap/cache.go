package sandtrap

import (
	"container/list"
	"go/types"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
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
	key    programKey
	prog   *rewrite.Program
	loaded engine.Loaded
	inputs []check.Input
	bytes  int  // about what it takes
	prompt bool // runs need nobody who gives them up

	reentrant bool // code of the host may call the script from goroutines of its own

	packages []found // those of the script's own that it was compiled with
}

// A cache holds the programs that were used last, by their names, sources and inputs.
// Programs are immutable, so runs share them.
type cache struct {
	mu     sync.Mutex
	byKey  map[programKey]*list.Element
	recent list.List // of *compiled; the last one was used last
	bytes  int
}

// A programKey is all of a script that its compiling sees, apart from the types of the
// inputs. What is kept holds on to the text anyway.
type programKey struct{ name, text, inputs string }

func key(s Script, inputs []check.Input) programKey {
	k := programKey{name: s.name(), text: s.Text}
	for _, in := range inputs {
		k.inputs += in.Name + ","
	}
	for _, name := range s.Funcs {
		k.inputs += " " + name
	}
	return k
}

// get gives nil for what is not there, or is there for inputs of other types.
func (c *cache) get(k programKey, inputs []check.Input) *compiled {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[k]
	if e == nil {
		return nil
	}
	p := e.Value.(*compiled)
	if !slices.EqualFunc(p.inputs, inputs, sameInput) {
		return nil
	}
	c.recent.MoveToBack(e)
	return p
}

func sameInput(a, b check.Input) bool { return a.Name == b.Name && types.Identical(a.Type, b.Type) }

// put keeps p and drops what was not used for the longest time.
func (c *cache) put(p *compiled) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[programKey]*list.Element{}
	}
	if old := c.byKey[p.key]; old != nil {
		c.drop(old)
	}
	c.byKey[p.key] = c.recent.PushBack(p)
	c.bytes += p.bytes
	for c.recent.Len() > cachePrograms || c.bytes > cacheBytes {
		c.drop(c.recent.Front())
	}
}

func (c *cache) drop(e *list.Element) {
	p := c.recent.Remove(e).(*compiled)
	c.bytes -= p.bytes
	delete(c.byKey, p.key)
}

// load takes a script through all stages, or finds it where it was kept, by its key k.
func (p *Plan) load(meter *gates.Meter, k programKey, s Script, inputs []check.Input, files *vfs.Volume) (*compiled, error) {
	own := p.finder(files, meter)
	if own != nil {
		defer own.fs.Close()
	}
	if c := p.cache.get(k, inputs); c != nil && (own == nil && len(c.packages) == 0 || own != nil && own.unchanged(c.packages)) {
		return c, nil
	}
	src := parse.Source{Name: s.name(), Text: s.Text, Keep: s.Funcs}
	if own != nil {
		src.Find = own.find
	}
	prog, err := rewrite.Compile(src, p.bounds, p.universe, inputs)
	if err != nil {
		return nil, refusal(err)
	}
	loaded, err := p.engine.Load(prog, p.table.TypeOf, meter)
	if err != nil {
		return nil, notLoaded(err)
	}
	prog.Forget()
	c := &compiled{key: k, prog: prog, loaded: loaded, inputs: inputs, bytes: retained(prog), prompt: p.prompt(prog, loaded), reentrant: reentrant(prog)}
	if own != nil {
		c.packages = own.found
		c.prompt = c.prompt && len(c.packages) == 0
	}
	p.cache.put(c)
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
		case abi.BindConst, abi.BindType:
		case abi.BindInput:
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
