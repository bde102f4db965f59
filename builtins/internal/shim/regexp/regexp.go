package regexp

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Regexp is what a script sees as regexp.Regexp. Go's own takes time for each
// instruction of its program at each place of the text, and more where it looks for
// all matches; it cannot be stopped, but it can read its text from a reader, which
// can. So it does where the text is long.
type Regexp struct {
	re     *regexp.Regexp
	env    *shim.Env
	step   int64          // time at one place of a text: instructions, and what they keep
	budget int64          // steps of a match that is not interrupted
	begins bool           // what is before a match matters to it
	long   bool           // leftmost-longest
	after  *regexp.Regexp // see later
}

const (
	// smallMatch is what a match may take that is not interrupted: a few milliseconds.
	smallMatch = 1 << 18

	// maxInsts and maxThreads bound a program: its instructions, and the places of
	// submatches that one of them may have to keep for each other.
	maxInsts   = 100_000
	maxThreads = 4 << 20
)

// pattern is what the syntax tree of a regexp tells of its program.
type pattern struct {
	insts, groups, runes int64
	begins               bool
}

// How a saved regexp is called.
const (
	Saved        = "regexp"
	SavedLongest = "regexp longest"
)

// Remade is what Remake makes such a regexp of.
func (re *Regexp) Remade() (how, text string) {
	if re.long {
		return SavedLongest, re.re.String()
	}
	return Saved, re.re.String()
}

// Remake makes a saved regexp again.
func Remake(e *shim.Env, how, text string) (*Regexp, error) {
	re, err := compile(e, text, syntax.Perl)
	if err == nil && how == SavedLongest {
		re.Longest()
	}
	return re, err
}

func RegexpCompile(e *shim.Env) func(string) (*Regexp, error) {
	return func(expr string) (*Regexp, error) { return compile(e, expr, syntax.Perl) }
}

func RegexpCompilePOSIX(e *shim.Env) func(string) (*Regexp, error) {
	return func(expr string) (*Regexp, error) { return compile(e, expr, syntax.POSIX) }
}

func RegexpMustCompile(e *shim.Env) func(string) *Regexp {
	return func(expr string) *Regexp {
		re, err := compile(e, expr, syntax.Perl)
		if err != nil {
			if !tooLargePattern(err) {
				regexp.MustCompile(expr) // panics, in Go's words
			}
			panic("regexp: Compile: " + err.Error())
		}
		return re
	}
}

func RegexpMustCompilePOSIX(e *shim.Env) func(string) *Regexp {
	return func(expr string) *Regexp {
		re, err := compile(e, expr, syntax.POSIX)
		if err != nil {
			if !tooLargePattern(err) {
				regexp.MustCompilePOSIX(expr)
			}
			panic("regexp: CompilePOSIX: " + err.Error())
		}
		return re
	}
}

func tooLargePattern(err error) bool {
	e, ok := err.(*syntax.Error)
	return ok && e.Code == syntax.ErrLarge
}

// compile asks for what the tree and the program of a regexp take before it makes
// them.
func compile(e *shim.Env, expr string, flags syntax.Flags) (*Regexp, error) {
	tree, err := parse(e, expr, flags)
	if err != nil {
		return nil, err
	}
	var p pattern
	p.add(tree, 1)
	if p.insts > maxInsts || p.insts*p.groups > maxThreads {
		return nil, &syntax.Error{Code: syntax.ErrLarge, Expr: expr}
	}
	e.Charge(p.insts * 200)
	e.Work(p.insts*40 + shim.PatternWork(expr)) // it is parsed again
	if p.insts < 1000 && p.runes > 1000 {       // Go may merge the classes of all alternatives
		e.Charge(p.insts * p.runes * 4)
	}
	re := &Regexp{env: e, budget: smallMatch, begins: p.begins, long: flags == syntax.POSIX}
	if re.long {
		re.re, err = regexp.CompilePOSIX(expr)
	} else {
		re.re, err = regexp.Compile(expr)
	}
	re.step = p.insts * (1 + p.groups/4)
	return re, err
}

// parse charges for the tree of a pattern. A class of Unicode is long in the tree
// and short in the pattern.
func parse(e *shim.Env, expr string, flags syntax.Flags) (*syntax.Regexp, error) {
	classes := int64(strings.Count(expr, `\p`) + strings.Count(expr, `\P`))
	e.Charge(int64(len(expr))*200 + classes*16<<10)
	e.Work(shim.PatternWork(expr) + classes*2000)
	return syntax.Parse(expr, flags)
}

// add counts a tree that is in the program so many times.
func (p *pattern) add(re *syntax.Regexp, times int64) {
	times = min(times, maxInsts+1)
	switch re.Op {
	case syntax.OpLiteral:
		p.insts += times * int64(len(re.Rune))
	case syntax.OpCharClass:
		p.runes += int64(len(re.Rune))
	case syntax.OpCapture:
		p.groups++
	case syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		p.begins = true
	}
	p.insts = min(p.insts+2*times, 1<<30)
	if re.Op == syntax.OpRepeat {
		times *= int64(max(re.Min, re.Max, 1))
	}
	for _, sub := range re.Sub {
		p.add(sub, times)
	}
}

// regexpText is a text as one of the two types it may have.
type regexpText struct {
	s string
	b []byte // if not nil
}

func (t regexpText) len() int {
	if t.b != nil {
		return len(t.b)
	}
	return len(t.s)
}

func (t regexpText) from(i int) regexpText {
	if t.b != nil {
		return regexpText{b: t.b[i:]}
	}
	return regexpText{s: t.s[i:]}
}

// width is that of the first rune.
func (t regexpText) width() int {
	if t.b != nil {
		_, w := utf8.DecodeRune(t.b)
		return w
	}
	_, w := utf8.DecodeRuneInString(t.s)
	return w
}

// widthBefore is that of the rune before i.
func (t regexpText) widthBefore(i int) int {
	if t.b != nil {
		_, w := utf8.DecodeLastRune(t.b[:i])
		return w
	}
	_, w := utf8.DecodeLastRuneInString(t.s[:i])
	return w
}

// textRunes reads a text, letting a stop through.
type textRunes struct {
	text  regexpText
	env   *shim.Env
	every int // runes
	n     int
}

func (r *textRunes) ReadRune() (c rune, w int, err error) {
	if r.n++; r.n >= r.every {
		r.n = 0
		r.env.Check()
	}
	switch {
	case r.text.len() == 0:
		return 0, 0, io.EOF
	case r.text.b != nil:
		c, w = utf8.DecodeRune(r.text.b)
	default:
		c, w = utf8.DecodeRuneInString(r.text.s)
	}
	r.text = r.text.from(w)
	return c, w, nil
}

// runes is a reader of t that lets a stop through now and then.
func (re *Regexp) runes(t regexpText) *textRunes {
	return &textRunes{text: t, env: re.env, every: int(smallMatch/64/max(re.step, 1)) + 1}
}

// small says whether a match in n bytes needs no interruption.
func (re *Regexp) small(n int) bool { return int64(n+1) <= re.budget/max(re.step, 1) }

// smallAll says so for all matches: each may look at the whole of the rest.
func (re *Regexp) smallAll(n int) bool { return n < 1<<20 && re.small((n+1)*(n+1)) }

// next is the first match of t at or after pos: as FindSubmatchIndex has it, or
// without groups at least its two ends.
func (re *Regexp) next(t regexpText, pos int, groups bool) []int {
	if pos == 0 || !re.begins {
		return shift(re.find(re.re, t.from(pos), groups), pos)
	}
	pos -= t.widthBefore(pos)
	loc := re.find(re.later(), t.from(pos), true)
	if loc == nil {
		return nil
	}
	return shift(loc[2:], pos)
}

func (re *Regexp) find(r *regexp.Regexp, t regexpText, groups bool) []int {
	switch small := re.small(t.len()); {
	case !small && groups:
		return r.FindReaderSubmatchIndex(re.runes(t))
	case !small:
		return r.FindReaderIndex(re.runes(t))
	case t.b != nil && groups:
		return r.FindSubmatchIndex(t.b)
	case t.b != nil:
		return r.FindIndex(t.b)
	case groups:
		return r.FindStringSubmatchIndex(t.s)
	}
	return r.FindStringIndex(t.s)
}

// later is a regexp that finds, in a text from the rune before a place on, what re
// finds from that place on. Its first group is the match.
func (re *Regexp) later() *regexp.Regexp {
	if re.after == nil {
		tree, err := parse(re.env, re.re.String(), syntax.Perl)
		if err != nil {
			panic(err)
		}
		re.after = regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`)
	}
	return re.after
}

func shift(loc []int, by int) []int {
	for i := range loc {
		if loc[i] >= 0 {
			loc[i] += by
		}
	}
	return loc
}

// all calls yield with each match, as the All functions count them: not the empty
// one at the end of another; at most max, if that is not negative.
func (re *Regexp) all(t regexpText, max int, groups bool, yield func(loc []int)) {
	if re.long && re.begins { // later would find the longest text before a match
		re.allAtOnce(t, max, yield)
		return
	}
	if max < 0 {
		max = t.len() + 1
	}
	end := -1 // of the match before
	for pos := 0; max > 0 && pos <= t.len(); {
		re.env.Check()
		loc := re.next(t, pos, groups)
		if loc == nil {
			return
		}
		before := end
		if end = loc[1]; end > pos {
			pos = end
		} else {
			if w := t.from(pos).width(); w > 0 {
				pos += w
			} else {
				pos = t.len() + 1
			}
			if loc[0] == before {
				continue
			}
		}
		max--
		yield(loc)
	}
}

// allAtOnce is all without an interruption.
func (re *Regexp) allAtOnce(t regexpText, max int, yield func(loc []int)) {
	n := int64(t.len())
	re.env.WorkProduct(n, n/8*re.step+1)
	var list [][]int
	if t.b != nil {
		list = re.re.FindAllSubmatchIndex(t.b, max)
	} else {
		list = re.re.FindAllStringSubmatchIndex(t.s, max)
	}
	for _, loc := range list {
		yield(loc)
	}
}
