package jsontext

import (
	"encoding/json"
	"errors"
	"strings"
)

// maxNesting is how deep encoding/json lets values lie in each other.
const maxNesting = 10_000

// A state says what may come next.
type state uint8

const (
	atValue     state = iota // a value
	atFirstElem              // a value, or the end of the array
	atFirstKey               // a key, or the end of the object
	atKey                    // a key
	atColon                  // after a key
	afterMember              // , or }
	afterElem                // , or ]
	afterTop                 // nothing but space
	inString
	inEscape
	inHex // of four digits, of which Scanner.hex were read
	inWord
	afterMinus
	afterZero
	inDigits
	afterDot
	inFraction
	afterE
	afterSign
	inExponent
)

// leads are texts that lead to a state, by which encoding/json is made to say what
// it says there.
var leads = [...]string{
	atValue: "", atFirstElem: "", atFirstKey: `{`, atKey: `{"":0,`, atColon: `{""`, afterMember: `{"":0 `, afterElem: `[0 `,
	afterTop: `0 `, inString: `"`, inEscape: `"\`, inHex: `"\u`, afterMinus: `-`, afterDot: `0.`, afterE: `0e`, afterSign: `0e+`,
}

// A Scanner recognises one value. It is fed a text in parts.
type Scanner struct {
	state state
	key   bool   // the string is a key
	word  string // true, false or null, of which at bytes were read
	at    int    // bytes of word, digits of inHex
	open  []byte // the brackets that are open
	bytes int64  // read so far
}

// Scan reads on in data. It reports how many bytes belong to the value, and whether
// that is complete; the end of a number, string or word at the top shows by the byte
// after it only.
func (s *Scanner) Scan(data []byte) (n int, done bool, err error) {
	for i := 0; i < len(data); i++ {
		if s.state == inString {
			i += plainBytes(data[i:])
			if i == len(data) {
				break
			}
		}
		inside := len(s.open) > 0
		if !s.step(data[i]) {
			s.bytes += int64(i) + 1
			return i, false, s.fail(data[i])
		}
		if s.state == afterTop {
			if inside { // its last bracket
				i++
			}
			s.bytes += int64(i)
			return i, true, nil
		}
	}
	s.bytes += int64(len(data))
	return len(data), false, nil
}

// plainBytes is how many bytes at the start of data neither end a string nor escape
// anything.
func plainBytes(data []byte) int {
	for i, c := range data {
		if c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(data)
}

// End is the error if nothing follows, nil if the value is complete.
func (s *Scanner) End() error {
	if s.state != afterTop && !s.step(' ') {
		return s.fail(' ')
	}
	if s.state != afterTop {
		return syntaxError("", s.bytes)
	}
	return nil
}

const spaces = " \t\r\n"

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// step reads one byte. After a complete value it may be any.
func (s *Scanner) step(c byte) bool {
	switch s.state {
	case inString:
		return s.inString(c)
	case inEscape:
		if c == 'u' {
			s.state, s.at = inHex, 0
			return true
		}
		return s.need(strings.IndexByte(`bfnrt\/"`, c) >= 0, inString)
	case inHex:
		if s.at++; s.at == 4 {
			return s.need(hexDigit(c), inString)
		}
		return hexDigit(c)
	case inWord:
		if c != s.word[s.at] {
			return false
		}
		if s.at++; s.at == len(s.word) {
			s.state = s.after()
		}
		return true
	}
	if s.state >= afterMinus {
		if ok, more := s.number(c); more {
			return ok
		}
		s.state = s.after() // c is not part of the number
	}
	if s.state == s.after() && len(s.open) == 0 {
		s.state = afterTop
		return true
	}
	return space(c) || s.structure(c)
}

func (s *Scanner) inString(c byte) bool {
	switch {
	case c == '\\':
		s.state = inEscape
	case c == '"' && s.key:
		s.state, s.key = atColon, false
	case c == '"':
		s.state = s.after()
	}
	return c >= ' '
}

// after is the state after a value.
func (s *Scanner) after() state {
	switch {
	case len(s.open) == 0:
		return ended
	case s.open[len(s.open)-1] == '{':
		return afterMember
	}
	return afterElem
}

// ended is a value at the top of which the end has not been seen.
const ended = inExponent + 1

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// number reads a byte that may belong to a number; more says whether it does, or
// had to.
func (s *Scanner) number(c byte) (ok, more bool) {
	digit := '0' <= c && c <= '9'
	e := c == 'e' || c == 'E'
	switch s.state {
	case afterMinus:
		if c == '0' {
			s.state = afterZero
			return true, true
		}
		return s.need(digit, inDigits), true
	case afterZero, inDigits:
		switch {
		case digit && s.state == inDigits:
		case c == '.':
			s.state = afterDot
		case e:
			s.state = afterE
		default:
			return false, false
		}
		return true, true
	case afterDot:
		return s.need(digit, inFraction), true
	case inFraction:
		if e {
			s.state = afterE
		}
		return true, digit || e
	case afterE:
		if c == '+' || c == '-' {
			s.state = afterSign
			return true, true
		}
		return s.need(digit, inExponent), true
	case afterSign:
		return s.need(digit, inExponent), true
	case inExponent:
		return true, digit
	}
	return false, false
}

func (s *Scanner) need(ok bool, next state) bool {
	if ok {
		s.state = next
	}
	return ok
}

// structure reads a byte between values.
func (s *Scanner) structure(c byte) bool {
	switch {
	case s.state == atColon:
		return s.need(c == ':', atValue)
	case s.state == afterMember && c == ',':
		s.state = atKey
		return true
	case s.state == afterElem && c == ',':
		s.state = atValue
		return true
	case c == '}' && (s.state == afterMember || s.state == atFirstKey), c == ']' && (s.state == afterElem || s.state == atFirstElem):
		s.open = s.open[:len(s.open)-1]
		if s.state = s.after(); s.state == ended {
			s.state = afterTop
		}
		return true
	case s.state == afterMember, s.state == afterElem:
		return false
	case s.state == atKey, s.state == atFirstKey:
		s.key = true
		return s.need(c == '"', inString)
	}
	return s.begin(c)
}

// begin reads the first byte of a value.
func (s *Scanner) begin(c byte) bool {
	switch c {
	case '{', '[':
		s.open = append(s.open, c)
		s.state = atFirstKey
		if c == '[' {
			s.state = atFirstElem
		}
		return len(s.open) <= maxNesting
	case '"':
		s.state = inString
	case '-':
		s.state = afterMinus
	case '0':
		s.state = afterZero
	case 't':
		s.state, s.word, s.at = inWord, "true", 1
	case 'f':
		s.state, s.word, s.at = inWord, "false", 1
	case 'n':
		s.state, s.word, s.at = inWord, "null", 1
	default:
		return s.need('1' <= c && c <= '9', inDigits)
	}
	return true
}

// fail is the error for c, which cannot be the next byte.
func (s *Scanner) fail(c byte) error {
	lead := ""
	switch {
	case len(s.open) > maxNesting:
		lead = strings.Repeat("[", maxNesting)
	case s.state == inWord:
		lead = s.word[:s.at]
	case int(s.state) < len(leads):
		lead = leads[s.state]
	}
	return syntaxError(lead+string([]byte{c}), s.bytes)
}

// syntaxError is what encoding/json says of text, at another place.
func syntaxError(text string, offset int64) error {
	var v any
	var bad *json.SyntaxError
	if err := json.Unmarshal([]byte(text), &v); errors.As(err, &bad) {
		bad.Offset = offset
		return bad
	}
	return errors.New("json: invalid text")
}

// Check returns the error of Unmarshal for a text that is not one value.
func Check(data []byte, pay Costs) error {
	var s Scanner
	rest := data
	for len(rest) > 0 {
		part := rest[:min(len(rest), stretch)]
		n, done, err := s.Scan(part)
		if err != nil {
			return err
		}
		rest = rest[n:]
		if done {
			return onlySpace(rest, len(data)-len(rest))
		}
		pay.check()
	}
	return s.End()
}

// onlySpace is the error if more than space follows a value; at is where rest begins.
func onlySpace(rest []byte, at int) error {
	for i, c := range rest {
		if !space(c) {
			return syntaxError(leads[afterTop]+string([]byte{c}), int64(at+i+1))
		}
	}
	return nil
}
