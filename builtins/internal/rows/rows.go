package rows

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Member is one exported name of a package: a row of the table. What it is
// follows from Value:
//
//	(*T)(nil)            the type T; With lists its methods and fields
//	a func               a function; in a row "T.M" the method, as T.M or (*T).M, or what
//	                     gives a pointer to the field, where calls by reflection take too long
//	func(*Env) F         a shim: the function, or the variable if F is no func type,
//	                     made anew for each run
//	&v                   a variable; scripts may read it
//	Literal              an untyped constant
//	any other basic kind a typed constant
//	anything else        a variable
//
// A row "T.M" without a Value allows the method or field M that T has.
type Member struct {
	Name    string
	Value   any
	With    string // of a type: names of the methods and fields allowed, or "*" for all that no row denies
	Why     string // the reason, where it is denied or not plain
	Instead string // what to use in place of a denied member

	// Needs says what of the run the member uses beside its memory, time and
	// streams: words out of clock, random, files and network.
	Needs string

	// Own is nil for a member of the standard library, of which there are thousands: see Special.
	Own *Own

	Deny bool // there, but not for scripts

	// Settable marks a variable of which each run has its own: the shim gives a
	// pointer to it, and scripts may assign to it.
	Settable bool

	// Handle marks a type that scripts hold behind a pointer only, because the
	// pointer may lead to what the host uses too.
	Handle bool
}

// An Own is what is special about a member of the host's.
type Own struct {
	Error             error        // the value of a member, if it is one
	Blocking, Context bool         // of a Function
	Grants            string       // of a Registered
	Params            []string     // likewise: the names of the parameters that scripts give
	Held              reflect.Type // of a Made
	Recursive         map[reflect.Type]reflect.Type
}

// Special is what is special about a member of the host's; nothing is about others.
func (m *Member) Special() Own {
	if m.Own == nil {
		return Own{}
	}
	return *m.Own
}

// A Denial is a number of rows that deny members for one reason.
type Denial struct {
	Names   string // separated by spaces; "*" is all that no other row names
	Why     string
	Instead string
}

// A Literal is an untyped constant: a Go literal with an optional minus, or the
// quotient of two.
type Literal string

// A Package is one importable package and its rows.
type Package struct {
	Path    string
	Name    string // package name; the last element of Path if empty
	Members []Member
	Denied  []Denial
	Source  string // Go declarations of generic members, without bodies

	Mentions string // types of the package's rows that Source mentions

	// Prompt names the functions, variables and methods ("F", "T.M", "T.*", or "*" for
	// all) whose use waits for nothing, and takes about as long as making its arguments and results
	// does. Programs that use no others need nobody who gives them up.
	Prompt string

	// Bounded names the functions and methods ("F", "T.M") that scripts have as Go has them,
	// and that need no shim: their time, and what they allocate, are at most a constant times
	// the memory of their arguments and results, which are paid for. TestPrices calls each.
	Bounded string

	// Holds says how many bytes a result has in memory beside what shows of it ("F=bytes",
	// "T.M=bytes"), where that is more than a few words: they are charged for with each call.
	Holds string

	// Engine says what is special to engines about functions and methods ("F=word", "T.M=word", "T.*=word", or "*=word"
	// for all): the words of package sandtrap/internal/engine/vm/ir that name an operation, which the engine does where the
	// member is called, since it sees values of scripts or has tasks wait; and these:
	//
	//	keeps    keeps the pointers that it is given
	//	places   prints where pointers lead
	//	formats  looks for methods of what it is given, and not of pointers to its parts
	//	reads    keeps nothing of a slice, as the compiler of Go knows
	//	native   works on slices that the host has as the engine has them, and calls nothing back
	Engine string

	// Prints names the types whose values fmt prints with all they hold, as compiled Go
	// does: plain data, with nothing in it that a script is not to see. "*" is all of the
	// package, private types too. Of others printing shows what scripts see: the fields
	// and methods that rows allow.
	Prints string

	// Shows lists the packages whose types scripts have under names of this one: of
	// those types they see what they would if the packages were listed.
	Shows string

	// scan: types of this package have rows under other names than Go's own, so
	// the rows have to be read to find them.
	Renamed bool

	// needy: members of this package of Std need files, or the environment.
	NeedsRun bool

	// Origin is what Std has this package from, nil if it is from elsewhere.
	Origin *Package

	// own: made by Host or Predeclare. Its functions and methods get the context of the run
	// where their first parameter is one.
	OfHost bool
}

// Needs lists what the members of p need; see Member.Needs.
func (p *Package) Needs() []string {
	var all []string
	for i := range p.Members {
		for need := range strings.FieldsSeq(p.Members[i].Needs) {
			if !slices.Contains(all, need) {
				all = append(all, need)
			}
		}
	}
	return all
}

// denials are the rows of packages of Std without what needs something: each is made once for all policies. denialRows
// has the first row of each.
var denials, denialRows sync.Map // []Member by denialKey; true by *Member

// A denialKey is the first of the rows, which are those of Std or one of denials, and what they are without.
type denialKey struct {
	first     *Member
	need, why string
}

// Without returns p without the members that need what need names; why says why
// they are not there.
func (p Package) Without(need, why string) Package {
	if p.plain() && (need == "files" || need == "environment") || len(p.Members) == 0 {
		return p
	}
	key := denialKey{&p.Members[0], need, why}
	if rows, ok := denials.Load(key); ok {
		p.Members = rows.([]Member)
		return p
	}
	rows := without(p.Members, need, why)
	if p.ofStd() {
		denials.Store(key, rows)
		denialRows.Store(&rows[0], true)
	}
	p.Members = rows
	return p
}

// without is list, or a copy of it where members that need something are denied.
func without(list []Member, need, why string) []Member {
	own := false
	for i := range list {
		if !HasWord(list[i].Needs, need) {
			continue
		}
		if !own {
			list, own = slices.Clone(list), true
		}
		m := &list[i]
		m.Value, m.Deny, m.Why = nil, true, why
	}
	return list
}

// ofStd reports rows of Std, or of denials.
func (p *Package) ofStd() bool {
	_, made := denialRows.Load(&p.Members[0])
	return made || p.Origin != nil && p.sameMembers()
}

func (p *Package) sameMembers() bool {
	return sameRows(p.Members, p.Origin.Members)
}

// sameRows reports that both are the same rows, and not copies.
func sameRows[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Shared is what Std has p from if nothing was changed, else a copy of p.
func (p Package) Shared() *Package {
	if !p.sameBut() || !p.sameMembers() {
		return &p
	}
	return p.Origin
}

// Selection tells p from all packages that are not the same. It is "" for one that others do not have the same again:
// which is not as Std has it, but for what Without took away.
func (p *Package) Selection() string {
	switch {
	case !p.sameBut():
		return ""
	case p.sameMembers():
		return p.Path
	case len(p.Members) == 0 || !p.ofStd():
		return ""
	}
	return fmt.Sprintf("%s %p", p.Path, &p.Members[0])
}

// sameBut reports that Std has p as it is, but perhaps for its Members.
func (p *Package) sameBut() bool {
	o := p.Origin
	if o == nil || !sameRows(p.Denied, o.Denied) {
		return false
	}
	mine, theirs := reflect.ValueOf(p).Elem(), reflect.ValueOf(o).Elem()
	for i := range mine.NumField() {
		switch f := mine.Field(i); f.Kind() {
		case reflect.String, reflect.Bool:
			if !f.Equal(theirs.Field(i)) {
				return false
			}
		}
	}
	return true
}

// plain reports a package as Std has it whose members need neither files nor the environment: its rows need not be
// read to see that.
func (p *Package) plain() bool {
	return p.Origin != nil && !p.Origin.NeedsRun && p.sameMembers()
}

// IsType reports that the row is about a type, or about a method of one.
func (m *Member) IsType() bool { return m.Typ() != nil || strings.Contains(m.Name, ".") }

// Typ returns the type that the row is about, nil if it is about something else.
func (m *Member) Typ() reflect.Type {
	v := reflect.ValueOf(m.Value)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return v.Type().Elem()
	}
	return nil
}

// Behind is the value of a row for a type that Go does not name, the one that v points to.
// Scripts meet it in interfaces.
func Behind(v any) any { return reflect.Zero(reflect.TypeOf(v)).Interface() }

func HasWord(list, word string) bool {
	if len(list) < len(word) {
		return false
	}
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// LastElement is the package name that a path suggests: "rand" of math/rand/v2.
func LastElement(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		return parts[len(parts)-2]
	}
	return last
}
