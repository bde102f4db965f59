package shim

import (
	"fmt"
	"strings"
)

// Verbs that fmt hands on to Format methods, for those that it answers itself.
const (
	verbType  = '\uE000'
	verbPlace = '\uE001'
	verbWrap  = '\uE002' // a %w that wraps nothing
)

var ownVerb = map[byte]rune{'T': verbType, 'p': verbPlace}

// eachVerb calls f for each verb of a format with its place, whether it is without # and
// +, and the index of its argument. It tells how many arguments there are verbs for, and
// whether they are taken in their order by a format that does not end in a verb.
func eachVerb(format string, f func(at int, verb byte, plain bool, arg int)) (arg int, ordered bool) {
	ordered = true
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		from := i
		i, arg = skipFlags(format, i+1, arg)
		if i >= len(format) || strings.Contains(format[from:i], "[") {
			ordered = false
		}
		if i >= len(format) || format[i] == '%' {
			continue
		}
		f(i, format[i], !strings.ContainsAny(format[from:i], "#+"), arg)
		arg++
	}
	return arg, ordered
}

// skipFlags goes from behind a % to its verb, and gives the index of its argument.
func skipFlags(format string, i, arg int) (verb, next int) {
	for ; i < len(format); i++ {
		switch c := format[i]; {
		case c == '*':
			arg++
		case c == '[':
			n, width := 0, strings.IndexByte(format[i:], ']')
			if _, err := fmt.Sscanf(format[i:], "[%d]", &n); err != nil || width < 0 {
				return i, arg
			}
			arg = n - 1
			i += width
		case strings.IndexByte("+-# .", c) < 0 && (c < '0' || c > '9'):
			return i, arg
		}
	}
	return i, arg
}
