package differ

import (
	"regexp"
	"strings"
	"testing"
)

// Go says in which order the calls of an expression are made, but not which of several
// indices, divisions, shifts and nil pointers panics first, nor whether that is before or
// after a call next to it. So where there is more than one thing in a rule, what may panic
// is put into a call.

var (
	quoted    = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	anyPart   = regexp.MustCompile(`«[^»]*»`)
	mayPanic  = regexp.MustCompile(`[@)\]}]\[|\.\w+\[| [/%]=? |(<<|>>)=? [@(]|\*@|\.\(`)
	pointers  = regexp.MustCompile(`«=(\*|Deep|I»|func)`)
	unordered = regexp.MustCompile(`(any|I»|error).* [=!]= `)
)

// panics reports a rule that may panic by itself, outside of calls.
func panics(rule string) bool {
	text := anyPart.ReplaceAllString(quoted.ReplaceAllString(rule, "q"), "@")
	return mayPanic.MatchString(text) || pointers.MatchString(rule) || unordered.MatchString(rule)
}

// made is the type of an expression that a part stands for.
func made(part string) (typ string, ok bool) {
	word, _, _ := strings.Cut(part, " ")
	switch word {
	case "do", "loop", "closure", "let", "call", "shadow", "return", "jump":
		return "", false
	case "bit":
		return "int", true
	}
	return strings.TrimPrefix(part, "'"), !strings.ContainsAny(part[:1], "#$=")
}

// called is an expression of type t in a call.
func called(t, text string) string {
	if t == "int" {
		text = "int(" + text + ")"
	}
	return "func() " + t + " { return " + text + " }()"
}

// TestRulesThatPanic: which rules may panic outside of calls.
func TestRulesThatPanic(t *testing.T) {
	for rule, want := range map[string]bool{
		"(«int» / «int»)": true, "(«int» + «int»)": false, "«=int» %= «int»": true, "(«int» << («'uint8» % 20))": true, "(«int» >> 70)": false,
		"(«int» >> «=int16»)": true, "«=[]int»[«bit»]": true, "[]int{«'int», 5}": false, "pick[int](«bool», «int», «'int»)": false,
		"(*«=*S»)": true, "«=*S».Up()": true, "«=S».Up()": false, "«S».D[«bit»]": true, "any(«=int»).(int)": true, "(«=any» == «'any»)": true,
		"(«int» == «int»)": false, `fmt.Sprintf("%d / %[1]d", «int»)`: false, "«=func(int) int»(«'int»)": true, "«=I».Get(«'int»)": true,
	} {
		if got := panics(rule); got != want {
			t.Errorf("%s: got %v, want %v", rule, got, want)
		}
	}
}
