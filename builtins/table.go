// Package builtins holds the parts of Go's standard library that a script may use, with
// reasons, and makes from tables and Go reflection the universe that scripts are checked
// against and the values that they are bound to.
//
// A [Package] is a list of rows. [Std] gives the curated ones of the standard library, [Host] makes
// one of a host's own members, [Package.Select] filters. [NewTable] freezes a selection:
// [Table.Import] shows it to go/types, [Table.Value] returns the value of a member for one run, and
// [Table.Explain] tells why a member is missing. A member without a row does not exist for a
// script.
//
// It may not import package sandtrap or an engine, or give a script a member that
// no row allows.
package builtins

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Prompt reports whether a member is in its package's Prompt. owner is "" except for
// methods and fields.
func (t *Table) Prompt(path, owner, name string) bool {
	p := t.at(path)
	if p == nil {
		return false
	}
	prompt := p.promptWords()
	if owner == "" {
		return prompt["*"] || prompt[name]
	}
	return prompt["*"] || prompt[owner+"."+name] || prompt[owner+".*"]
}

// Engine returns the notes to engines about a member from the rows of its package: the words in its Engine,
// separated by spaces. owner is "" except for methods and fields.
func (t *Table) Engine(path, owner, name string) string {
	p := t.at(path)
	if p == nil || p.Engine == "" || p.OfHost {
		return ""
	}
	p.engineOnce.Do(func() {
		p.engine = map[string]string{}
		for w := range strings.FieldsSeq(p.Package.Engine) {
			member, word, _ := strings.Cut(w, "=")
			p.engine[member] = strings.TrimSpace(p.engine[member] + " " + word)
		}
	})
	if owner == "" {
		return joined(p.engine["*"], p.engine[name])
	}
	return joined(joined(p.engine["*"], p.engine[owner+".*"]), p.engine[owner+"."+name])
}

// joined are the words of both lists.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// holding is fn, which charges for what its results hold.
func (p *pkg) holding(env *Env, r Ref, fn bound) bound {
	if p.Holds == "" || !fn.fn.IsValid() {
		return fn
	}
	p.holdsOnce.Do(func() {
		p.holds = map[string]int64{}
		for w := range strings.FieldsSeq(p.Holds) {
			name, size, _ := strings.Cut(w, "=")
			p.holds[name], _ = strconv.ParseInt(size, 10, 64)
		}
	})
	size := p.holds[strings.TrimPrefix(r.String(), p.Path+".")]
	if size == 0 {
		return fn
	}
	return withBody(fn.fn.Type(), func(args []reflect.Value) []reflect.Value {
		env.Charge(size)
		return fn.call(args)
	})
}

// A Table is a frozen selection of packages. It is safe for concurrent use, and
// makes each package, and each type, at most once, when it is first asked for.
type Table struct {
	// NewTable alone writes these, so they are read without a lock.
	base         *Table                        // of what all have alike; see baseOf. nil if there is none
	paths        []string                      // importable, sorted
	pkgs         map[string]*pkg               // by path, importable or shown by one that is; see at
	rows         map[reflect.Type]rowRef       // of types whose row has another name than Go's; see renamed
	placeholders map[reflect.Type]reflect.Type // what placeholders stand for
	hostErrors   []hostError                   // see errorsOfHost
	errorsOnce   sync.Once

	mu      sync.Mutex      // of everything below, and of the types of all packages
	far     map[string]*pkg // by path, those of types that the packages of pkgs mention; none of their members are shown
	types   map[reflect.Type]types.Type
	back    map[types.Object]reflect.Type
	unnamed []unnamedType
	shows   map[reflect.Type]*shim.Showing
	inst    *types.Context
}

// pkg is a Package in a Table. Nobody writes to the Package, which tables may share.
type pkg struct {
	*Package
	open  bool // scripts may import it
	shown bool // scripts see its types, because a package that they may import shows them

	// Each is made when it is first asked for, by whoever asks: see rowsByName, promptWords,
	// holding and Engine.
	indexOnce, promptOnce, holdsOnce, engineOnce sync.Once
	index                                        map[string]*Member
	prompt                                       map[string]bool
	holds                                        map[string]int64
	engine                                       map[string]string

	// The lock of the table guards these.
	types *types.Package
	done  bool // types is complete
	err   error
}

// A rowRef says where the row of a type is.
type rowRef struct {
	pkg *pkg
	row *Member
}

// NewTable makes a table of packages. It fails if two have the same path, or if a row is
// invalid; the error names the row.
func NewTable(packages ...Package) (*Table, error) {
	std, own := apart(packages)
	if std == nil {
		return newTable(nil, packages)
	}
	base, err := baseOf(std)
	if err != nil {
		return nil, err
	}
	return newTable(base, own)
}

// newTable makes a table of packages and of what a base has, if it is not nil.
func newTable(base *Table, packages []Package) (*Table, error) {
	t := &Table{
		base:         base,
		pkgs:         make(map[string]*pkg, len(packages)),
		rows:         map[reflect.Type]rowRef{},
		placeholders: map[reflect.Type]reflect.Type{},
		far:          map[string]*pkg{},
		types:        map[reflect.Type]types.Type{},
		back:         map[types.Object]reflect.Type{},
		shows:        map[reflect.Type]*shim.Showing{},
		inst:         types.NewContext(),
	}
	if base != nil {
		t.paths = slices.Clip(base.paths)
	}
	for _, p := range packages {
		if err := t.add(p); err != nil {
			return nil, err
		}
	}
	for _, p := range packages {
		t.show(p.Shows)
	}
	for _, p := range packages {
		if p.OfHost {
			t.retype(t.pkgs[p.Path].Package)
		}
	}
	return t, nil
}

// show makes the types of packages known that are not listed themselves.
func (t *Table) show(paths string) {
	for path := range strings.FieldsSeq(paths) {
		if std := stdPackage(path); t.pkgs[path] == nil && std != nil {
			p := *std
			p.Name = rows.LastElement(path)
			t.pkgs[path] = &pkg{Package: &p, shown: true}
		}
	}
}

func (t *Table) add(p Package) error {
	if p.Path == "" {
		return fmt.Errorf("builtins: package %q has no path", p.Name)
	}
	if t.pkgs[p.Path] != nil {
		return fmt.Errorf("package %q is listed twice", p.Path)
	}
	if p.Name == "" {
		p.Name = packageName(p.Path)
	}
	if p.OfHost {
		p.Members = slices.Clone(p.Members) // see retype
	}
	entry := &pkg{Package: p.Shared(), open: true}
	t.pkgs[p.Path] = entry
	if p.Path != predeclaredPath {
		t.paths = insertSorted(t.paths, p.Path)
	}
	if !p.Renamed {
		return nil
	}
	for i := range p.Members {
		row := &p.Members[i]
		if rt := row.Typ(); rt != nil && !strings.Contains(row.Name, ".") && !rows.HasWord(p.Shows, rt.PkgPath()) {
			if _, dup := t.rows[rt]; dup {
				return fmt.Errorf("builtins: %s.%s: type %v has a row already", p.Path, row.Name, rt)
			}
			t.rows[rt] = rowRef{entry, row}
			own := row.Special()
			if own.Held != nil {
				t.rows[own.Held] = rowRef{entry, row}
			}
			maps.Copy(t.placeholders, own.Recursive)
		}
	}
	return nil
}

// Paths lists the importable packages, sorted.
func (t *Table) Paths() []string { return t.paths }

// entry returns the entry of a path: of the table, or else one for types that its packages mention,
// which has the generic declarations of one of the standard library. The lock is held.
func (t *Table) entry(path string) *pkg {
	if p := t.pkgs[path]; p != nil {
		return p
	}
	p := t.far[path]
	if p == nil {
		far := Package{Path: path}
		std := stdPackage(path)
		has := std != nil && std.Source != ""
		if has {
			far = *std
		}
		far.Name = packageName(path)
		p = &pkg{Package: &far, done: !has}
		t.far[path] = p
	}
	return p
}

// rowsByName are the rows of p.
func (p *pkg) rowsByName() map[string]*Member {
	p.indexOnce.Do(func() {
		p.index = make(map[string]*Member, len(p.Members))
		for _, d := range p.Denied {
			for n := range strings.FieldsSeq(d.Names) {
				p.index[n] = &Member{Name: n, Deny: true, Why: d.Why, Instead: d.Instead}
			}
		}
		for i := range p.Members {
			p.index[p.Members[i].Name] = &p.Members[i]
		}
	})
	return p.index
}

// promptWords are the words of Prompt.
func (p *pkg) promptWords() map[string]bool {
	p.promptOnce.Do(func() {
		p.prompt = map[string]bool{}
		for w := range strings.FieldsSeq(p.Prompt) {
			p.prompt[w] = true
		}
	})
	return p.prompt
}

// row returns the row of a name, or nil.
func (p *pkg) row(name string) *Member {
	rows := p.rowsByName()
	if row := rows[name]; row != nil || strings.Contains(name, ".") {
		return row
	}
	return rows["*"]
}

// allows says whether the member of a type, a method or a field, may be used.
func (p *pkg) allows(owner *Member, name string) bool {
	if row := p.row(owner.Name + "." + name); row != nil {
		return !row.Deny
	}
	return owner.With == "*" || rows.HasWord(owner.With, name)
}

var envType = reflect.TypeFor[*Env]()

// shim says whether a value is made for each run.
func isShim(rt reflect.Type) bool {
	return rt != nil && rt.Kind() == reflect.Func && rt.NumIn() == 1 && rt.In(0) == envType && rt.NumOut() == 1
}

func insertSorted(list []string, s string) []string {
	i := 0
	for i < len(list) && list[i] < s {
		i++
	}
	return slices.Insert(list, i, s)
}
