package regexp

import (
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The methods that make new texts. What they make is charged as it grows.

// replace is t with what with appends in the place of each match.
func (re *Regexp) replace(t regexpText, groups bool, with func(out []byte, loc []int) []byte) []byte {
	var out []byte
	done := 0 // of t
	add := func(part regexpText) {
		re.env.ChargeAppend(out, part.len())
		if part.b != nil {
			out = append(out, part.b...)
		} else {
			out = append(out, part.s...)
		}
	}
	re.all(t, -1, groups, func(loc []int) {
		add(t.slice(done, loc[0]))
		out = with(out, loc)
		done = loc[1]
	})
	add(t.slice(done, t.len()))
	return out
}

func (t regexpText) slice(i, j int) regexpText {
	if t.b != nil {
		return regexpText{b: t.b[i:j]}
	}
	return regexpText{s: t.s[i:j]}
}

// smallReplace says whether Go's own may do it: the result is small too.
func (re *Regexp) smallReplace(n, repl int) bool {
	return re.smallAll(n) && int64(repl)*int64(n+1)*int64(n+1) < shim.LargeText
}

func (re *Regexp) ReplaceAllString(src, repl string) string {
	if re.smallReplace(len(src), len(repl)) {
		return re.re.ReplaceAllString(src, repl)
	}
	if !strings.Contains(repl, "$") {
		return re.ReplaceAllLiteralString(src, repl)
	}
	out := re.replace(regexpText{s: src}, true, func(out []byte, loc []int) []byte {
		return re.ExpandString(out, repl, src, loc)
	})
	return re.asString(out)
}

func (re *Regexp) ReplaceAllLiteralString(src, repl string) string {
	out := re.replace(regexpText{s: src}, false, func(out []byte, _ []int) []byte {
		re.env.ChargeAppend(out, len(repl))
		return append(out, repl...)
	})
	return re.asString(out)
}

func (re *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	out := re.replace(regexpText{s: src}, false, func(out []byte, loc []int) []byte {
		s := repl(stringAt(src, loc, 0))
		re.env.ChargeAppend(out, len(s))
		return append(out, s...)
	})
	return re.asString(out)
}

// asString is out, for which it charges.
func (re *Regexp) asString(out []byte) string {
	re.env.Charge(int64(len(out)))
	return string(out)
}

func (re *Regexp) ReplaceAll(src, repl []byte) []byte {
	return re.replace(regexpText{b: src}, true, func(out []byte, loc []int) []byte {
		return re.Expand(out, repl, src, loc)
	})
}

func (re *Regexp) ReplaceAllLiteral(src, repl []byte) []byte {
	return re.replace(regexpText{b: src}, false, func(out []byte, _ []int) []byte {
		re.env.ChargeAppend(out, len(repl))
		return append(out, repl...)
	})
}

func (re *Regexp) ReplaceAllFunc(src []byte, repl func([]byte) []byte) []byte {
	return re.replace(regexpText{b: src}, false, func(out []byte, loc []int) []byte {
		b := repl(src[loc[0]:loc[1]])
		re.env.ChargeAppend(out, len(b))
		return append(out, b...)
	})
}

// expandRate is a rate for PayText.
const expandRate = 30

func (re *Regexp) Expand(dst, template, src []byte, match []int) []byte {
	re.env.PayText(expandRate, len(template))
	if len(template) >= shim.LargeText {
		re.env.Charge(2 * int64(len(template))) // it is copied, to be looked at
	}
	re.env.ChargeAppend(dst, expanded(string(template), match))
	return re.re.Expand(dst, template, src, match)
}

func (re *Regexp) ExpandString(dst []byte, template, src string, match []int) []byte {
	re.env.PayText(expandRate, len(template))
	re.env.ChargeAppend(dst, expanded(template, match))
	return re.re.ExpandString(dst, template, src, match)
}

// expanded is how long a template can get.
func expanded(template string, match []int) int {
	longest := 0
	for i := 0; i+1 < len(match); i += 2 {
		longest = max(longest, match[i+1]-match[i])
	}
	return len(template) + strings.Count(template, "$")*longest
}

func (re *Regexp) Split(s string, n int) []string {
	switch {
	case n == 0:
		return nil
	case s == "" && re.re.String() != "":
		return []string{""}
	}
	list := []string{}
	start, end := 0, 0
	re.all(regexpText{s: s}, n, false, func(loc []int) {
		if n > 0 && len(list) == n-1 {
			return
		}
		end = loc[0]
		if loc[1] != 0 {
			re.env.Charge(2 * shim.StringHeader)
			list = append(list, s[start:end])
		}
		start = loc[1]
	})
	if end != len(s) {
		list = append(list, s[start:])
	}
	return list
}

// The methods that tell of a regexp.

func (re *Regexp) String() string                      { return re.re.String() }
func (re *Regexp) NumSubexp() int                      { return re.re.NumSubexp() }
func (re *Regexp) SubexpNames() []string               { return re.re.SubexpNames() }
func (re *Regexp) SubexpIndex(name string) int         { return re.re.SubexpIndex(name) }
func (re *Regexp) LiteralPrefix() (string, bool)       { return re.re.LiteralPrefix() }
func (re *Regexp) MarshalText() ([]byte, error)        { return re.re.MarshalText() }
func (re *Regexp) AppendText(b []byte) ([]byte, error) { return re.re.AppendText(b) }
func (re *Regexp) Longest()                            { re.re.Longest(); re.long = true }

// Copy returns a regexp that Longest changes by itself.
func (re *Regexp) Copy() *Regexp {
	c := *re
	own := *re.re
	c.re = &own
	return &c
}

func RegexpUnmarshalText(e *shim.Env) func(*Regexp, []byte) error {
	return func(re *Regexp, text []byte) error {
		made, err := RegexpCompile(e)(string(text))
		if err == nil {
			*re = *made
		}
		return err
	}
}

// UnmarshalText is for host code, which has no run to ask.
func (re *Regexp) UnmarshalText(text []byte) error { return RegexpUnmarshalText(nil)(re, text) }
