package jobs

import "time"

// A Task is the body of a job: one of the fields is set.
type Task struct {
	Plan  *Plan   `cbor:"1,keyasint,omitempty"` // once, before the others
	Run   *Script `cbor:"2,keyasint,omitempty"`
	Check *Script `cbor:"3,keyasint,omitempty"`
	Cell  *Cell   `cbor:"4,keyasint,omitempty"`

	Call *FuncCall `cbor:"5,keyasint,omitempty"`
	Drop []uint64  `cbor:"6,keyasint,omitempty"` // functions that nobody calls again

	Queued int64 `cbor:"7,keyasint,omitempty"` // nanoseconds that it has waited for the worker, of its time

	Seed  uint64 `cbor:"8,keyasint,omitempty"` // of what a run, or a session that begins, leaves to chance; 0 is any
	Epoch string `cbor:"9,keyasint,omitempty"` // where its clock begins, as RFC 3339; empty is the machine's clock
}

// A FuncCall calls a function that a run has left, which is kept by its number until the
// next run; those of sessions are kept with it. It is a job, or is asked during a call of
// the host by what another has called.
type FuncCall struct {
	Func   uint64 `cbor:"1,keyasint"`
	Args   []byte `cbor:"2,keyasint"`           // a []any; see package carry
	Events bool   `cbor:"3,keyasint,omitempty"` // as of a Script
	Given  bool   `cbor:"4,keyasint,omitempty"` // it is asked of a function that was an argument; Args are its arguments
	Beside bool   `cbor:"5,keyasint,omitempty"` // of a call that the script goes on during
}

// A Cell is something that is asked of the session of a worker, which has one at most.
type Cell struct {
	Op     CellOp  `cbor:"1,keyasint"`
	Script *Script `cbor:"2,keyasint,omitempty"` // of CellRun
	Text   string  `cbor:"3,keyasint,omitempty"` // of CellType and CellComplete
	Offset int     `cbor:"4,keyasint,omitempty"` // of CellComplete
}

// A CellOp says what is asked.
type CellOp string

// The operations. What is saved and loaded goes through calls of the host.
const (
	CellOpen     CellOp = "open"
	CellLoad     CellOp = "load" // open one that was saved
	CellSave     CellOp = "save"
	CellSaveAll  CellOp = "save all" // or fail if something is skipped
	CellReset    CellOp = "reset"
	CellRun      CellOp = "run"
	CellBindings CellOp = "bindings"
	CellType     CellOp = "type"
	CellComplete CellOp = "complete"
)

// A CellResult is the answer.
type CellResult struct {
	Run    *Result `cbor:"1,keyasint,omitempty"`
	Error  *Error  `cbor:"2,keyasint,omitempty"` // of what is no run
	Failed string  `cbor:"3,keyasint,omitempty"` // an error of another kind
	Text   string  `cbor:"4,keyasint,omitempty"`
	Names  []Name  `cbor:"5,keyasint,omitempty"`
}

// A Name is one that the cells of a session declare, or that completes a text.
type Name struct {
	Kind string `cbor:"1,keyasint,omitempty"`
	Name string `cbor:"2,keyasint"`
	Type string `cbor:"3,keyasint,omitempty"`
}

// A Plan is what of a policy a worker has to know.
type Plan struct {
	Std      []string          `cbor:"1,keyasint,omitempty"`
	Exclude  []string          `cbor:"2,keyasint,omitempty"`
	Limits   Limits            `cbor:"3,keyasint"`
	Env      map[string]string `cbor:"4,keyasint,omitempty"`
	HasEnv   bool              `cbor:"14,keyasint,omitempty"` // Env is the environment, else there is none
	Files    *Files            `cbor:"5,keyasint,omitempty"`
	Engine   string            `cbor:"6,keyasint,omitempty"`
	Funcs    []Member          `cbor:"7,keyasint,omitempty"` // without an import
	Packages []Package         `cbor:"11,keyasint,omitempty"`
	Echo     string            `cbor:"8,keyasint,omitempty"`
	Wraps    []int             `cbor:"13,keyasint,omitempty"` // numbers of types, interfaces that values of scripts can be
	Types    []Type            `cbor:"12,keyasint,omitempty"` // of the host; a type is made of those before it

	// Placed: the host wants to know where the script calls its functions. The bodies of these calls are NumberedCalls.
	Placed bool `cbor:"15,keyasint,omitempty"`

	Network bool     `cbor:"16,keyasint,omitempty"` // scripts have package net/http, behind calls of the host
	Secrets []string `cbor:"17,keyasint,omitempty"` // names of those that scripts can have sent with requests
}

// A Type is a type of the host's, as far as scripts see it.
type Type struct {
	Name      string          `cbor:"1,keyasint"`
	Hides     bool            `cbor:"2,keyasint,omitempty"` // the host has more than the fields
	Fields    []Field         `cbor:"3,keyasint,omitempty"`
	Given     bool            `cbor:"4,keyasint,omitempty"` // scripts have what they are given
	Shape     []byte          `cbor:"5,keyasint,omitempty"` // of what is no struct: the type without its name
	Recursive []RecursiveType `cbor:"6,keyasint,omitempty"` // ways in which it holds itself
}

// A RecursiveType is a number that fields of Types have in place of a type that leads to one of them.
type RecursiveType struct {
	Number int    `cbor:"1,keyasint"`
	Type   []byte `cbor:"2,keyasint"`
}

// A Field is one of a Type.
type Field struct {
	Name     string `cbor:"1,keyasint"`
	Type     []byte `cbor:"2,keyasint"`
	Tag      string `cbor:"3,keyasint,omitempty"`
	Embedded bool   `cbor:"4,keyasint,omitempty"`
}

// Limits bound a run, as sandtrap.Limits, which they are converted to.
type Limits struct {
	Timeout   time.Duration `cbor:"1,keyasint"`
	HostTime  time.Duration `cbor:"10,keyasint,omitempty"`
	Ticks     int64         `cbor:"2,keyasint"`
	Memory    int64         `cbor:"3,keyasint"`
	Alloc     int64         `cbor:"9,keyasint,omitempty"`
	Output    int64         `cbor:"4,keyasint"`
	Tasks     int           `cbor:"5,keyasint"`
	Artifacts int64         `cbor:"-"`
	Depth     int           `cbor:"6,keyasint"`
	Source    int           `cbor:"7,keyasint"`
	Nesting   int           `cbor:"8,keyasint"`

	// The worker need not know those of its process, and those of what the host keeps.
	CPU      float64 `cbor:"-"`
	ReadRate int64   `cbor:"-"`
}

// Files says that there are files, behind calls of the host.
type Files struct {
	Cwd        string `cbor:"1,keyasint"`
	ModuleRoot string `cbor:"2,keyasint"`

	Open  int   `cbor:"4,keyasint,omitempty"` // at a time; the rest of the quota is the host's
	Given []Dir `cbor:"3,keyasint,omitempty"` // the directories whose descriptors the worker has, in their order
}

// A Dir is a directory of the host that scripts see.
type Dir struct {
	Path  string `cbor:"1,keyasint"`
	Whole bool   `cbor:"2,keyasint,omitempty"` // secrets are not hidden
	Asked bool   `cbor:"3,keyasint,omitempty"` // the worker does not read in it: it asks the host for all
}

// A Package is one of the host's.
type Package struct {
	Path    string   `cbor:"1,keyasint"`
	Name    string   `cbor:"2,keyasint"`
	Members []Member `cbor:"3,keyasint"`
	Denied  []string `cbor:"4,keyasint,omitempty"` // names of those that the policy excludes
}

// A Member is one of the host's. Its functions are calls of the host by their names, after
// the path of their package and a dot if they have one.
type Member struct {
	Name     string  `cbor:"1,keyasint"`
	Type     []byte  `cbor:"2,keyasint"`           // a function's, or nil
	Value    []byte  `cbor:"3,keyasint"`           // of what is no function
	Literal  string  `cbor:"5,keyasint,omitempty"` // of an untyped constant
	Blocking bool    `cbor:"4,keyasint,omitempty"`
	Struct   *Struct `cbor:"6,keyasint,omitempty"` // of a type
	Reads    bool    `cbor:"7,keyasint,omitempty"` // it is a variable, which a function of Type reads
}

// A Struct is a member that is a type. Its methods are functions of the receiver, which are
// called by the name of the type, a dot and their own.
type Struct struct {
	Type    int      `cbor:"1,keyasint"` // of those of the Plan
	Methods []Member `cbor:"2,keyasint,omitempty"`
	Denied  []string `cbor:"3,keyasint,omitempty"` // methods and fields that scripts do not see
	Opaque  bool     `cbor:"4,keyasint,omitempty"` // scripts cannot make values
}

// A Script is one run.
type Script struct {
	Text   string   `cbor:"1,keyasint"`
	Name   string   `cbor:"2,keyasint"`
	Inputs []byte   `cbor:"3,keyasint,omitempty"`
	Args   []string `cbor:"4,keyasint,omitempty"`
	Stdin  bool     `cbor:"5,keyasint,omitempty"` // there is one, behind a call of the host
	Echo   string   `cbor:"6,keyasint,omitempty"`
	Result []byte   `cbor:"7,keyasint,omitempty"` // the type of the answer that is wanted
	Live   bool     `cbor:"8,keyasint,omitempty"` // what it prints is wanted at once, by CallPrint
	Events bool     `cbor:"9,keyasint,omitempty"` // so are events, as streams
	Prints bool     `cbor:"10,keyasint,omitempty"`
	Limits *Limits  `cbor:"11,keyasint,omitempty"` // those of the Plan, made smaller
	Funcs  []string `cbor:"12,keyasint,omitempty"` // that are to be left
	Copy   bool     `cbor:"13,keyasint,omitempty"` // what the script changes in its inputs is wanted

	// Ordered: the host decides when calls of its functions return. Their bodies are NumberedCalls.
	// The number of the first is above that of Before.
	Ordered bool `cbor:"14,keyasint,omitempty"`
	Before  int  `cbor:"15,keyasint,omitempty"`
}

// A NumberedCall is a call of a function of the host in a run that is Ordered, or of a Plan that is Placed; only the
// first has numbers.
type NumberedCall struct {
	Number int    `cbor:"1,keyasint"`
	At     string `cbor:"2,keyasint,omitempty"` // where the script calls it
	Args   []byte `cbor:"3,keyasint,omitempty"` // see package carry
	Failed string `cbor:"4,keyasint,omitempty"` // why it cannot be made
}

// CallOrder is the name of the call in such a run that asks with a Rest which call returns. A Turn is the answer.
const CallOrder = "order"

// A Rest is an engine.Rest.
type Rest struct {
	Number int64 `cbor:"1,keyasint"`
	Calls  int   `cbor:"2,keyasint"`
	Idle   bool  `cbor:"3,keyasint,omitempty"`
}

// A Turn is the number of the call that returns, 0 for none, or why the run ends, as Kind and Message of an Error.
type Turn struct {
	Call    int    `cbor:"1,keyasint,omitempty"`
	Kind    string `cbor:"2,keyasint,omitempty"`
	Message string `cbor:"3,keyasint,omitempty"`
}

// A Result is what a run left behind.
type Result struct {
	Stdout   string            `cbor:"1,keyasint"`
	Stderr   string            `cbor:"2,keyasint"`
	Vars     map[string][]byte `cbor:"3,keyasint,omitempty"`
	Types    map[string]string `cbor:"4,keyasint,omitempty"`
	Echo     []Echo            `cbor:"5,keyasint,omitempty"`
	Error    *Error            `cbor:"6,keyasint,omitempty"`
	Ticks    int64             `cbor:"7,keyasint"`
	Alloc    int64             `cbor:"8,keyasint"`
	Peak     int64             `cbor:"9,keyasint"`
	Duration int64             `cbor:"10,keyasint"` // nanoseconds
	Warnings []string          `cbor:"11,keyasint,omitempty"`
	Answer   []byte            `cbor:"12,keyasint,omitempty"` // of the type that was wanted
	Returned [][]byte          `cbor:"13,keyasint,omitempty"` // of a FuncCall: the results
	Prints   []Print           `cbor:"16,keyasint,omitempty"`
	Usage    string            `cbor:"14,keyasint,omitempty"` // likewise: it cannot be called like that
	Over     bool              `cbor:"15,keyasint,omitempty"` // likewise: it cannot be called any more

	NotCopied []string `cbor:"17,keyasint,omitempty"` // those of Warnings about values that stay in the worker
	Reached   *Reached `cbor:"18,keyasint,omitempty"` // if the Plan is Placed
}

// Reached are the members that a script could reach, as decide.Used has them.
type Reached struct {
	Standard []string `cbor:"1,keyasint,omitempty"`
	Host     []string `cbor:"2,keyasint,omitempty"`
	Own      bool     `cbor:"3,keyasint,omitempty"`
}

// All are the fields.
func (r *Reached) All() (standard, host []string, own bool) { return r.Standard, r.Host, r.Own }

// An Echo is the value of a bare expression.
type Echo struct {
	Text string `cbor:"1,keyasint"`
	Type string `cbor:"2,keyasint"`
}

// A Print is what was printed in one go. See package carry for the values.
type Print struct {
	Text   string   `cbor:"1,keyasint"`
	Values [][]byte `cbor:"2,keyasint,omitempty"`
	Types  []string `cbor:"3,keyasint,omitempty"`
}

// A Position is a place in the text.
type Position struct {
	Name   string `cbor:"1,keyasint"`
	Line   int    `cbor:"2,keyasint"`
	Column int    `cbor:"3,keyasint"`
}

// An Error is why a script was refused or did not end well.
type Error struct {
	Kind    string      `cbor:"1,keyasint"`
	Pos     Position    `cbor:"2,keyasint"`
	Name    string      `cbor:"3,keyasint,omitempty"`
	Message string      `cbor:"4,keyasint"`
	Hint    string      `cbor:"5,keyasint,omitempty"`
	Code    int         `cbor:"6,keyasint,omitempty"`
	Stack   []Frame     `cbor:"7,keyasint,omitempty"`
	Tasks   []TaskState `cbor:"8,keyasint,omitempty"`
	More    []*Error    `cbor:"9,keyasint,omitempty"`
	Refused bool        `cbor:"10,keyasint,omitempty"`
	Import  bool        `cbor:"11,keyasint,omitempty"`
}

// A Frame is a call in progress.
type Frame struct {
	Func string   `cbor:"1,keyasint"`
	Pos  Position `cbor:"2,keyasint"`
}

// A TaskState is a goroutine of the script.
type TaskState struct {
	ID      int     `cbor:"1,keyasint"`
	State   string  `cbor:"2,keyasint"`
	Stack   []Frame `cbor:"3,keyasint,omitempty"`
	Creator int     `cbor:"4,keyasint,omitempty"`
	Created Frame   `cbor:"5,keyasint"`
}

// A CheckReport is what a script could reach.
type CheckReport struct {
	Bindings  []Binding `cbor:"1,keyasint,omitempty"`
	Rewritten string    `cbor:"2,keyasint"`
	Error     *Error    `cbor:"3,keyasint,omitempty"`
	Warnings  []string  `cbor:"4,keyasint,omitempty"`
}

// A Binding is one member of the host that a script reaches.
type Binding struct {
	Kind string   `cbor:"1,keyasint"`
	Name string   `cbor:"2,keyasint"`
	Type string   `cbor:"3,keyasint"`
	Pos  Position `cbor:"4,keyasint"`
}

// ErrPanicked, before the error of a Return, says that the function of the host
// panicked, or the reader or writer.
const ErrPanicked = "panic: "

// ErrThrown, before the number of a panic, is the error of an Answer where the function of the
// script panicked, and of the Return of the call that passes that on.
const ErrThrown = "thrown: "

// ErrOver is the error of an Answer that comes from no run, and of a Return that comes when the time of the run is over.
const ErrOver = "the run is over"

// ErrDenied, before a message, is the error of a Return that ends the run: the host refuses the call.
const ErrDenied = "denied: "

// Names of streams that are events start with StreamEvent; the kind follows.
const StreamEvent = "event."

// Names of what a job is told: that a function of the host has printed, and that the clock of the run stands, or goes on.
const (
	TellStdout = "stdout"
	TellStderr = "stderr"
	TellStand  = "stand"
	TellResume = "resume"
)

// A PrintOp is what the script has printed.
type PrintOp struct {
	Err  bool   `cbor:"1,keyasint,omitempty"` // to os.Stderr
	Data []byte `cbor:"2,keyasint"`
}

// A StdinOp reads up to N bytes.
type StdinOp struct {
	N int `cbor:"1,keyasint"`
}

// A StdinResult is what was there.
type StdinResult struct {
	Data []byte `cbor:"1,keyasint"`
	EOF  bool   `cbor:"2,keyasint,omitempty"`
	Err  string `cbor:"3,keyasint,omitempty"` // another error, which came with Data; see package carry
}

// A FileOp is one operation on the script's files. Paths are absolute and the script's.
type FileOp struct {
	Op     string `cbor:"1,keyasint"`
	Path   string `cbor:"2,keyasint,omitempty"`
	Other  string `cbor:"3,keyasint,omitempty"` // second path
	Handle uint64 `cbor:"4,keyasint,omitempty"` // of an open file
	Flag   int    `cbor:"5,keyasint,omitempty"` // of package os, on Linux
	Mode   uint32 `cbor:"6,keyasint,omitempty"` // of io/fs
	Data   []byte `cbor:"7,keyasint,omitempty"`
	Offset int64  `cbor:"8,keyasint,omitempty"`
	N      int64  `cbor:"9,keyasint,omitempty"`
	Access int64  `cbor:"10,keyasint,omitempty"` // nanoseconds since 1970
	Modify int64  `cbor:"11,keyasint,omitempty"`
}

// A FileResult is what became of it.
type FileResult struct {
	Handle uint64     `cbor:"1,keyasint,omitempty"`
	N      int64      `cbor:"2,keyasint,omitempty"`
	Data   []byte     `cbor:"3,keyasint,omitempty"`
	Text   string     `cbor:"4,keyasint,omitempty"`
	Infos  []FileInfo `cbor:"5,keyasint,omitempty"`
	Error  string     `cbor:"6,keyasint,omitempty"` // in the words of Linux
	EOF    bool       `cbor:"7,keyasint,omitempty"`
}

// A FileInfo is what is known of a file.
type FileInfo struct {
	Name   string `cbor:"1,keyasint"`
	Size   int64  `cbor:"2,keyasint"`
	Mode   uint32 `cbor:"3,keyasint"`
	Modify int64  `cbor:"4,keyasint"`
	Same   uint64 `cbor:"5,keyasint,omitempty"` // a number that infos of the same file have; 0 for none
}

// MaxText is how many bytes of the texts of an error cross.
const MaxText = 4 << 20
