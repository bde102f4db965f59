package regexp

import (
	"io"
	"regexp"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The methods that find. Each is Go's own where the text is small.

func (re *Regexp) Match(b []byte) bool {
	if re.small(len(b)) {
		return re.re.Match(b)
	}
	return re.re.MatchReader(re.runes(regexpText{b: b}))
}

func (re *Regexp) MatchString(s string) bool {
	if re.small(len(s)) {
		return re.re.MatchString(s)
	}
	return re.re.MatchReader(re.runes(regexpText{s: s}))
}

func (re *Regexp) FindIndex(b []byte) []int {
	return re.next(regexpText{b: b}, 0, false)
}

func (re *Regexp) FindStringIndex(s string) []int {
	return re.next(regexpText{s: s}, 0, false)
}

func (re *Regexp) FindSubmatchIndex(b []byte) []int {
	return re.next(regexpText{b: b}, 0, true)
}

func (re *Regexp) FindStringSubmatchIndex(s string) []int {
	return re.next(regexpText{s: s}, 0, true)
}

func (re *Regexp) Find(b []byte) []byte { return bytesAt(b, re.FindIndex(b), 0) }

func (re *Regexp) FindString(s string) string { return stringAt(s, re.FindStringIndex(s), 0) }

func (re *Regexp) FindSubmatch(b []byte) [][]byte {
	return bytesGroups(b, re.FindSubmatchIndex(b))
}

func (re *Regexp) FindStringSubmatch(s string) []string {
	return stringGroups(s, re.FindStringSubmatchIndex(s))
}

// bytesAt is group i of a match, nil if it took no part in it.
func bytesAt(b []byte, loc []int, i int) []byte {
	if loc == nil || loc[2*i] < 0 {
		return nil
	}
	return b[loc[2*i]:loc[2*i+1]:loc[2*i+1]]
}

func stringAt(s string, loc []int, i int) string {
	if loc == nil || loc[2*i] < 0 {
		return ""
	}
	return s[loc[2*i]:loc[2*i+1]]
}

func bytesGroups(b []byte, loc []int) [][]byte {
	if loc == nil {
		return nil
	}
	list := make([][]byte, len(loc)/2)
	for i := range list {
		list[i] = bytesAt(b, loc, i)
	}
	return list
}

func stringGroups(s string, loc []int) []string {
	if loc == nil {
		return nil
	}
	list := make([]string, len(loc)/2)
	for i := range list {
		list[i] = stringAt(s, loc, i)
	}
	return list
}

// matchesOf makes a list of what all matches are, each of so many bytes.
func matchesOf[T any](re *Regexp, t regexpText, n int, groups bool, size int64, of func(loc []int) T) []T {
	var list []T
	re.all(t, n, groups, func(loc []int) {
		re.env.Charge(2 * size)
		list = append(list, of(loc))
	})
	return list
}

// matchSize is what the places of a match and its groups take.
func (re *Regexp) matchSize() int64 { return shim.SliceHeader + 16*int64(re.re.NumSubexp()+1) }

func (re *Regexp) FindAllIndex(b []byte, n int) [][]int {
	return matchesOf(re, regexpText{b: b}, n, false, shim.SliceHeader+16, ends)
}

func (re *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return matchesOf(re, regexpText{s: s}, n, false, shim.SliceHeader+16, ends)
}

// ends are those of a match, without its groups.
func ends(loc []int) []int { return loc[:2:2] }

func (re *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return matchesOf(re, regexpText{b: b}, n, true, re.matchSize(), whole)
}

func (re *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return matchesOf(re, regexpText{s: s}, n, true, re.matchSize(), whole)
}

func whole(loc []int) []int { return loc }

func (re *Regexp) FindAll(b []byte, n int) [][]byte {
	return matchesOf(re, regexpText{b: b}, n, false, shim.SliceHeader, func(loc []int) []byte { return bytesAt(b, loc, 0) })
}

func (re *Regexp) FindAllString(s string, n int) []string {
	if re.smallAll(len(s)) {
		return re.re.FindAllString(s, n)
	}
	return matchesOf(re, regexpText{s: s}, n, false, shim.StringHeader, func(loc []int) string { return stringAt(s, loc, 0) })
}

func (re *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return matchesOf(re, regexpText{b: b}, n, true, 2*re.matchSize(), func(loc []int) [][]byte { return bytesGroups(b, loc) })
}

func (re *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if re.smallAll(len(s)) {
		return re.re.FindAllStringSubmatch(s, n)
	}
	return matchesOf(re, regexpText{s: s}, n, true, 2*re.matchSize(), func(loc []int) []string { return stringGroups(s, loc) })
}

func (re *Regexp) MatchReader(r io.RuneReader) bool {
	return re.re.MatchReader(&runesFrom{r, re.env})
}

func (re *Regexp) FindReaderIndex(r io.RuneReader) []int {
	return re.re.FindReaderIndex(&runesFrom{r, re.env})
}

func (re *Regexp) FindReaderSubmatchIndex(r io.RuneReader) []int {
	return re.re.FindReaderSubmatchIndex(&runesFrom{r, re.env})
}

// runesFrom lets a stop through at each rune.
type runesFrom struct {
	io.RuneReader
	env *shim.Env
}

func (r *runesFrom) ReadRune() (rune, int, error) {
	r.env.Check()
	return r.RuneReader.ReadRune()
}

func RegexpMatch(e *shim.Env) func(string, []byte) (bool, error) {
	return func(expr string, b []byte) (bool, error) {
		re, err := RegexpCompile(e)(expr)
		return err == nil && re.Match(b), err
	}
}

func RegexpMatchString(e *shim.Env) func(string, string) (bool, error) {
	return func(expr, s string) (bool, error) {
		re, err := RegexpCompile(e)(expr)
		return err == nil && re.MatchString(s), err
	}
}

func RegexpMatchReader(e *shim.Env) func(string, io.RuneReader) (bool, error) {
	return func(expr string, r io.RuneReader) (bool, error) {
		re, err := RegexpCompile(e)(expr)
		return err == nil && re.MatchReader(r), err
	}
}

func RegexpQuoteMeta(e *shim.Env) func(string) string {
	return func(s string) string {
		e.Charge(4 * int64(len(s))) // once as bytes, once as a string
		e.PayText(shim.TickTime, len(s))
		return regexp.QuoteMeta(s)
	}
}
