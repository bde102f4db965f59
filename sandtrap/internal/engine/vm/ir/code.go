package ir

import (
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// SlowOp is what an instruction that leaves the loop needs: any number of
// registers, types and names.
type SlowOp struct {
	Do      Do
	A, B, C int
	D, E    int
	T, U    *Type
	N       int64
	S       string
	Regs    []int
	Types   []*Type
	Fn      *Func
	Ok      bool
	Stores  bool   // a look into a map for what is going to be stored there
	Vars    uint32 // of a call of the host: the arguments that are interfaces of pointers to variables of the script's
	Shares  bool   // a call of the host that may keep what it is given
	Prints  bool   // a call of the host that may print where it points
	Inside  bool   // a call of the host that calls functions of the script inside it alone, see CallsInside
	Op      Op     // what does it where nothing is around the host's function
	Sel     []SelectCase
}

type SelectCase struct {
	Send bool
	Ch   int
	Val  int
	Elem *Type
	Dst  int
}

// Func is a compiled function.
type Func struct {
	Idx     int
	Name    string
	Entry   int
	End     int
	Nregs   int
	Params  int   // cells of receiver and parameters
	In      *Type // parameters without the receiver, of what interfaces call
	Results *Type
	Rw      int
	Sig     *Type         // of a session: what its values are of
	Caps    []*Type       // of a session: what it captures
	Key     string        // of a session: what it goes by in its cell
	Recover int           // pc to go on at after a recovered panic, or -1
	Ssa     *ssa.Function // while it is compiled
	Body    Listing       // while it is compiled
	Held    *Holding      // of a session
	From    *Origin
	At      token.Pos // where it is declared
	Library bool      // it is of the library, which no trace shows
	Wrapper bool
	// Unpacked is the method that a wrapper for a receiver of more than one cell calls.
	Unpacked *Func
	Valued   bool // values refer to it
	Working  bool // of a session: it is of the statements of its cell
}

// Program is compiled code: immutable, for any number of runs at once.
type Program struct {
	Code        []Ins
	Words       []byte // code as the loop reads it
	Pos         []Spot
	Funcs       []*Func
	Placed      []*Func // as their code is
	Gaps        Gaps
	Ints        []int64
	Strs        []string
	Refs        []any
	Exts        []*SlowOp
	Types       *TypeTable
	ByHost      map[reflect.Type]*Type
	Midx        map[string]int
	MethodIDs   []*Method // by id
	Globals     int       // cells
	GlobalBytes int64     // with the arrays in them, which are made when they are used
	Stretch     int64     // ticks that are surely over in a fraction of a millisecond
	Inits       []*Func   // of the packages, in order, as far as they do anything
	Main        *Func
	Wrappers    WrapperTable
	Vars        []Variable // top-level variables that a run reports
	Gates       *GateTable
	Infos       sync.Map // *typeInfo by *Type
}

// Begins is the function that a run comes to after k initialisers: the next one, or at
// last the script's.
func (p *Program) Begins(k int) *Func {
	if k < len(p.Inits) {
		return p.Inits[k]
	}
	return p.Main
}

// A Method is a name and a signature that interfaces call.
type Method struct {
	Id  int
	Key string
	Fn  *types.Func
	Sig *Type
}

// Variable is a top-level variable that a run reports.
type Variable struct {
	Name string
	Off  int
	T    *Type
	In   *Obj // nil: the variables of the program
}

// WrapperTable holds the functions by which the host shows values of scripts as
// interfaces of its own.
type WrapperTable map[reflect.Type]reflect.Value

// GateTable is what a program knows of its bindings; the values come with a run.
type GateTable struct {
	Echoes []parse.Echo      // of the program, or of the cell that runs
	List   []rewrite.Binding // by slot, which is what runs know them by
	TypeOf engine.TypeOf
	Asked  map[int]bool // slots that code asks for; a cell has slots for nothing else
}

var FirstExts [3]*SlowOp

// IndexHost makes the Type of a type of the host known by that.
func (p *Program) IndexHost(t *Type) {
	if t.Host == nil || t.Kind == reflect.Invalid || Universe.ByHost[t.Host] != nil {
		return
	}
	if _, ok := p.ByHost[t.Host]; !ok {
		SetIn(&p.ByHost, t.Host, t)
	}
}

// FuncAt finds the function that holds pc.
func (p *Program) FuncAt(pc int) *Func {
	i := sort.Search(len(p.Placed), func(i int) bool { return p.Placed[i].End > pc })
	if i == len(p.Placed) {
		return nil
	}
	return p.Placed[i]
}

// Abilities are what the compiler has to know of the machine: the numbers that the methods of reflect.Value have there,
// and the interfaces of the host's as which it can show values of the script, with these wrappers.
type Abilities struct {
	Value map[string]int
	Shows func(WrapperTable, reflect.Type) bool
}

// A Listing is code, and where in the source each instruction comes from.
type Listing struct {
	Code []Ins
	Pos  []Spot
}

// The states of a range over a function that go/ssa keeps in a variable of its own;
// above zero are the ways out that its body took.
const (
	RangeBusy = -1
	RangeDone = -2
)
