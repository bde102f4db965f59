package vm

import (
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// ext is what an instruction that leaves the loop needs: any number of
// registers, types and names.
type ext struct {
	do      Do
	a, b, c int
	d, e    int
	t, u    *Type
	n       int64
	s       string
	regs    []int
	types   []*Type
	fn      *Func
	ok      bool
	stores  bool   // a look into a map for what is going to be stored there
	vars    uint32 // of a call of the host: the arguments that are interfaces of pointers to variables of the script's
	shares  bool   // a call of the host that may keep what it is given
	prints  bool   // a call of the host that may print where it points
	inside  bool   // a call of the host that calls functions of the script inside it alone, see callsInside
	op      Op     // what does it where nothing is around the host's function
	sel     []selCase
}

type selCase struct {
	send bool
	ch   int
	val  int
	elem *Type
	dst  int
}

// Func is a compiled function.
type Func struct {
	idx     int
	name    string
	entry   int
	end     int
	nregs   int
	params  int   // cells of receiver and parameters
	in      *Type // parameters without the receiver, of what interfaces call
	results *Type
	rw      int
	sig     *Type         // of a session: what its values are of
	caps    []*Type       // of a session: what it captures
	key     string        // of a session: what it goes by in its cell
	recover int           // pc to go on at after a recovered panic, or -1
	ssa     *ssa.Function // while it is compiled
	body    listing       // while it is compiled
	held    *holding      // of a session
	from    *origin
	at      token.Pos // where it is declared
	library bool      // it is of the library, which no trace shows
	wrapper bool
	valued  bool // values refer to it
	working bool // of a session: it is of the statements of its cell
}

// Program is compiled code: immutable, for any number of runs at once.
type Program struct {
	code        []Ins
	words       []byte // code as the loop reads it
	pos         []spot
	funcs       []*Func
	placed      []*Func // as their code is
	gaps        gaps
	ints        []int64
	strs        []string
	refs        []any
	exts        []*ext
	types       *typeTable
	byHost      map[reflect.Type]*Type
	midx        map[string]int
	mids        []*method // by id
	globals     int       // cells
	globalBytes int64     // with the arrays in them, which are made when they are used
	stretch     int64     // ticks that are surely over in a fraction of a millisecond
	inits       []*Func   // of the packages, in order, as far as they do anything
	main        *Func
	wrappers    wrapperTable
	vars        []variable // top-level variables that a run reports
	gates       *gateTable
	infos       sync.Map // *typeInfo by *Type
}

// begins is the function that a run comes to after k initialisers: the next one, or at
// last the script's.
func (p *Program) begins(k int) *Func {
	if k < len(p.inits) {
		return p.inits[k]
	}
	return p.main
}

// A method is a name and a signature that interfaces call.
type method struct {
	id  int
	key string
	fn  *types.Func
	sig *Type
}

// variable is a top-level variable that a run reports.
type variable struct {
	name string
	off  int
	t    *Type
	in   *Obj // nil: the variables of the program
}

// wrapperTable holds the functions by which the host shows values of scripts as
// interfaces of its own.
type wrapperTable map[reflect.Type]reflect.Value

// gateTable is what a program knows of its bindings; the values come with a run.
type gateTable struct {
	prog   *rewrite.Program
	list   []rewrite.Binding // by slot, which is what runs know them by
	typeOf engine.TypeOf
	asked  map[int]bool // slots that code asks for; a cell has slots for nothing else
}

var firstExts [3]*ext

// indexHost makes the Type of a type of the host known by that.
func (p *Program) indexHost(t *Type) {
	if t.host == nil || t.kind == reflect.Invalid || universe.byHost[t.host] != nil {
		return
	}
	if _, ok := p.byHost[t.host]; !ok {
		note(&p.byHost, t.host, t)
	}
}

// funcAt finds the function that holds pc.
func (p *Program) funcAt(pc int) *Func {
	i := sort.Search(len(p.placed), func(i int) bool { return p.placed[i].end > pc })
	if i == len(p.placed) {
		return nil
	}
	return p.placed[i]
}

// Abilities are what the compiler has to know of the machine: the members of package reflect that this has for itself
// (the methods of Value, with their numbers, those of MapIter, and functions), and the interfaces of the host's as which
// it can show values of the script, with these wrappers.
type Abilities struct {
	value          map[string]int
	mapIter, funcs map[string]bool
	shows          func(wrapperTable, reflect.Type) bool
}

// A listing is code, and where in the source each instruction comes from.
type listing struct {
	code []Ins
	pos  []spot
}

// The states of a range over a function that go/ssa keeps in a variable of its own;
// above zero are the ways out that its body took.
const (
	rangeBusy = -1
	rangeDone = -2
)
