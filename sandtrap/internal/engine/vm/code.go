package vm

import (
	"go/token"
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
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
	direct  *bound // of a call of a method of reflect.Value: what does it
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

// An origin is what tells where code comes from.
type origin struct {
	fset   *token.FileSet
	prog   *rewrite.Program // nil in a session
	starts sync.Once
	begins map[token.Pos]token.Pos // see starts
	cell   *rewrite.Cell           // of a session
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
