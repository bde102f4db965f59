// Command tokens is an example script: an expression parser that unwinds by panic.
package main

import (
	"fmt"
	"strconv"
	"unicode"
)

type parser struct {
	in  []rune
	pos int
}

type parseError struct {
	pos int
	msg string
}

func (e parseError) Error() string { return "at " + strconv.Itoa(e.pos) + ": " + e.msg }

func (p *parser) peek() rune {
	for p.pos < len(p.in) && unicode.IsSpace(p.in[p.pos]) {
		p.pos++
	}
	if p.pos == len(p.in) {
		return 0
	}
	return p.in[p.pos]
}

func (p *parser) fail(format string, args ...any) {
	panic(parseError{p.pos, fmt.Sprintf(format, args...)})
}

func (p *parser) expr() float64 {
	v := p.term()
	for {
		switch p.peek() {
		case '+':
			p.pos++
			v += p.term()
		case '-':
			p.pos++
			v -= p.term()
		default:
			return v
		}
	}
}

func (p *parser) term() float64 {
	v := p.factor()
	for {
		switch op := p.peek(); op {
		case '*', '/':
			p.pos++
			d := p.factor()
			if op == '*' {
				v *= d
			} else if d == 0 {
				p.fail("division by zero")
			} else {
				v /= d
			}
		default:
			return v
		}
	}
}

func (p *parser) factor() float64 {
	switch r := p.peek(); {
	case r == '(':
		p.pos++
		v := p.expr()
		if p.peek() != ')' {
			p.fail("want ), have %q", p.peek())
		}
		p.pos++
		return v
	case r == '-':
		p.pos++
		return -p.factor()
	case unicode.IsDigit(r):
		start := p.pos
		for p.pos < len(p.in) && (unicode.IsDigit(p.in[p.pos]) || p.in[p.pos] == '.') {
			p.pos++
		}
		v, err := strconv.ParseFloat(string(p.in[start:p.pos]), 64)
		if err != nil {
			p.fail("%v", err)
		}
		return v
	case r == 0:
		p.fail("unexpected end")
	default:
		p.fail("unexpected %q", r)
	}
	return 0
}

func eval(s string) (v float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			pe, ok := r.(parseError)
			if !ok {
				panic(r)
			}
			err = pe
		}
	}()
	p := &parser{in: []rune(s)}
	v = p.expr()
	if p.peek() != 0 {
		p.fail("left over: %s", string(p.in[p.pos:]))
	}
	return v, nil
}

func main() {
	for _, s := range []string{"1 + 2 * 3", "(1+2)*3", "-4/ (2 - 2.5)", "2*(3", "1/0", "7 8", "1.2.3", "π+1", ""} {
		if v, err := eval(s); err != nil {
			fmt.Printf("%-14q error %v\n", s, err)
		} else {
			fmt.Printf("%-14q %g\n", s, v)
		}
	}
}

// Output:
// "1 + 2 * 3"    7
// "(1+2)*3"      9
// "-4/ (2 - 2.5)" 8
// "2*(3"         error at 4: want ), have '\x00'
// "1/0"          error at 3: division by zero
// "7 8"          error at 2: left over: 8
// "1.2.3"        error at 5: strconv.ParseFloat: parsing "1.2.3": invalid syntax
// "π+1"          error at 0: unexpected 'π'
// ""             error at 0: unexpected end
