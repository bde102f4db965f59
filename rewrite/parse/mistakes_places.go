package parse

import (
	"go/token"
	"slices"
)

// objectOfJSON finds a text that begins like an object of JSON, or a list of them.
func objectOfJSON(p place) bool {
	first := 0
	if len(p.toks) > 0 && p.toks[0].kind == token.LBRACK {
		first = 1
	}
	if p.i > first+3 {
		return false
	}
	p.i = first
	*p.blamed = 0
	return p.kind(0) == token.LBRACE && p.kind(1) == token.STRING && p.kind(2) == token.COLON
}

// elided finds dots that are not those of a variadic parameter or argument.
func elided(p place) bool {
	if p.kind(0) != token.ELLIPSIS {
		return false
	}
	switch p.kind(-1) {
	case token.ILLEGAL, token.SEMICOLON, token.LBRACE, token.COLON:
		return true
	case token.COMMA, token.LPAREN, token.ASSIGN, token.DEFINE, token.RETURN:
		next := []token.Token{token.RPAREN, token.RBRACE, token.SEMICOLON, token.COMMA, token.ILLEGAL}
		return slices.Contains(next, p.kind(1))
	}
	return false
}

// startsWith finds a statement that starts with one of words, and is not an
// ordinary use of a variable or function of that name.
func startsWith(words ...string) func(place) bool {
	return func(p place) bool {
		if p.kind(0) != token.IDENT || !p.starts() || !slices.Contains(words, p.text(0)) {
			return false
		}
		switch p.kind(1) {
		case token.DEFINE, token.ASSIGN, token.PERIOD, token.COMMA, token.SEMICOLON, token.INC, token.DEC:
			return false
		}
		return true
	}
}

func isWordAt(p place, word string) bool { return p.kind(0) == token.IDENT && p.text(0) == word }

// wordBetween finds a word between two operands.
func wordBetween(word string) func(place) bool {
	return func(p place) bool {
		return isWordAt(p, word) && endsOperand(p.kind(-1)) && startsOperand(p.kind(1))
	}
}

// wordBefore finds a word that an operand follows.
func wordBefore(word string) func(place) bool {
	return func(p place) bool { return isWordAt(p, word) && p.kind(1) == token.IDENT }
}

func endsOperand(k token.Token) bool {
	return k.IsLiteral() || k == token.RPAREN || k == token.RBRACK
}

func startsOperand(k token.Token) bool {
	return k.IsLiteral() || k == token.LPAREN || k == token.NOT || k == token.SUB
}

// operators finds two tokens that are one operator elsewhere.
func operators(a, b token.Token) func(place) bool {
	return func(p place) bool { return p.pair(a, b) }
}

// apart finds two tokens with space between that are one operator without.
func apart(a, b token.Token) func(place) bool {
	return func(p place) bool { return p.kind(0) == a && p.kind(1) == b }
}

// arrowInCall finds f(x -> y), within brackets that follow a name.
func arrowInCall(p place) bool {
	next := p.next(1)
	return next.pair(token.SUB, token.GTR) && p.inCall(token.SUB) && !p.touches()
}

// touches tells whether the next token follows without space between.
func (p place) touches() bool {
	return p.kind(1) != token.ILLEGAL && p.toks[p.i].off+len(p.text(0)) == p.toks[p.i+1].off
}

// objectArgument finds f({"name": value}).
func objectArgument(p place) bool {
	return p.kind(0) == token.LBRACE && (p.kind(-1) == token.LPAREN || p.kind(-1) == token.COMMA) && p.kind(2) == token.COLON
}

// shortList finds f(["a"]) and x := [], a list of one value or none.
func shortList(p place) bool {
	before := []token.Token{token.LPAREN, token.COMMA, token.DEFINE, token.ASSIGN, token.RETURN, token.RANGE}
	if p.kind(0) != token.LBRACK || !slices.Contains(before, p.kind(-1)) {
		return false
	}
	end := p.kind(2)
	if p.kind(1) == token.RBRACK {
		end = p.kind(1)
	}
	return end == token.RBRACK && p.error > p.toks[p.i].off
}

// startsBlock finds a statement that starts with a word and an operand.
func startsBlock(word string) func(place) bool {
	return func(p place) bool { return isWordAt(p, word) && p.starts() && p.kind(1).IsLiteral() }
}

// macro finds println!(x) and vec![x].
func macro(p place) bool {
	next := p.next(1)
	return p.kind(0) == token.IDENT && p.kind(1) == token.NOT && p.touches() && next.touches() && (p.kind(2) == token.LPAREN || p.kind(2) == token.LBRACK)
}

// inherits finds type A extends B.
func inherits(p place) bool {
	return p.kind(-1) == token.IDENT && p.kind(1) == token.IDENT && (isWordAt(p, "extends") || isWordAt(p, "implements"))
}

// within finds what is inside of a block that one of words begins, which go/parser takes for a literal of a type. The mistake
// is that word.
func within(words ...string) func(place) bool {
	return func(p place) bool {
		brace := p.opening()
		if brace < 1 || p.kind(0) == token.RBRACE {
			return false
		}
		at := p.next(brace - 1 - p.i)
		if at.kind(0) != token.IDENT || !at.starts() || !slices.Contains(words, at.text(0)) {
			return false
		}
		*p.blamed = at.i
		return true
	}
}

// opening is the index of the brace that opens the block or literal of p, -1 if there is none near.
func (p place) opening() int {
	for depth, n := 0, -1; n > -maxPlaces; n-- {
		switch p.kind(n) {
		case token.ILLEGAL:
			return -1
		case token.RBRACE:
			depth++
		case token.LBRACE:
			if depth--; depth < 0 {
				return p.i + n
			}
		}
	}
	return -1
}

// entity finds &quot; and the like.
func entity(p place) bool {
	return p.pair(token.AND, token.IDENT) && p.kind(2) == token.SEMICOLON && slices.Contains([]string{"quot", "lt", "gt", "amp", "apos", "nbsp"}, p.text(1))
}

// entityNumber finds &#34; and the like.
func entityNumber(p place) bool { return p.kind(0) == token.AND && p.toks[p.i].off+1 == p.error }

// namedArgument finds f(name = value), within brackets that follow a name.
func namedArgument(p place) bool { return p.inCall(token.ASSIGN) }

// declares reports whether a function is declared on the line up to p.
func (p place) declares() bool {
	for n := -1; n > -maxPlaces; n-- {
		switch p.kind(n) {
		case token.FUNC:
			return true
		case token.ILLEGAL, token.SEMICOLON, token.LBRACE, token.RBRACE:
			return false
		}
	}
	return false
}

// inCall finds a name with a token behind it, within brackets that follow a name.
func (p place) inCall(behind token.Token) bool {
	if p.kind(0) != token.IDENT || p.kind(1) != behind || p.kind(-1) != token.LPAREN && p.kind(-1) != token.COMMA {
		return false
	}
	for depth, n := 0, -1; n > -maxPlaces; n-- {
		switch p.kind(n) {
		case token.ILLEGAL, token.LBRACE, token.RBRACE, token.SEMICOLON:
			return false
		case token.RPAREN:
			depth++
		case token.LPAREN:
			if depth--; depth < 0 {
				return p.kind(n-1) == token.IDENT
			}
		}
	}
	return false
}

// importsAs finds import name as other.
func importsAs(p place) bool {
	return p.kind(0) == token.IDENT && p.kind(-1) == token.IMPORT && isWordAt(p.next(1), "as")
}

// declaredByKeyword finds interface Name { and struct Name {.
func declaredByKeyword(p place) bool {
	return (p.kind(0) == token.INTERFACE || p.kind(0) == token.STRUCT) && p.starts() && p.kind(1) == token.IDENT
}

// listedFields finds a comma behind the type of a field in a struct of one line.
func listedFields(p place) bool {
	if p.kind(0) != token.COMMA || p.toks[p.i].off != p.error {
		return false
	}
	for n := -1; n > -maxPlaces; n-- {
		switch p.kind(n) {
		case token.ILLEGAL, token.RBRACE, token.LPAREN, token.RPAREN:
			return false
		case token.LBRACE:
			return p.kind(n-1) == token.STRUCT
		}
	}
	return false
}

// namedValue finds f(name: value), within brackets that follow a name other than that of a function that is declared.
func namedValue(p place) bool { return p.inCall(token.COLON) && !p.declares() }

// typeAfterColon finds func f(name: type).
func typeAfterColon(p place) bool { return p.inCall(token.COLON) && p.declares() }

// typeAfterName finds var name: type, and name: type in a struct.
func typeAfterName(p place) bool {
	if p.kind(0) != token.IDENT || p.kind(1) != token.COLON || p.toks[p.i+1].off != p.error {
		return false
	}
	return p.kind(-1) == token.VAR || p.kind(-1) == token.CONST || p.starts()
}

func formatString(p place) bool {
	return p.kind(0) == token.IDENT && len(p.text(0)) <= 2 && p.pair(token.IDENT, token.STRING)
}

func loopIn(p place) bool { return wordIn(p) > 0 }

// wordIn is where the in or of such a loop is, 0 if this is none.
func wordIn(p place) int {
	if p.kind(0) != token.FOR {
		return 0
	}
	for n := 1; n < 8; n++ {
		if p.kind(n) == token.IDENT && (p.text(n) == "in" || p.text(n) == "of") && (p.kind(n-1) == token.IDENT || p.kind(n-1) == token.RPAREN) {
			return n
		}
	}
	return 0
}

// countIn finds for i in range(10) and for i in 0..10.
func countIn(p place) bool {
	n := wordIn(p)
	return n > 0 && (p.kind(n+1) == token.RANGE || p.kind(n+1) == token.FLOAT || p.kind(n+2) == token.ELLIPSIS)
}

// notIn finds x not in xs.
func notIn(p place) bool {
	return isWordAt(p, "not") && endsOperand(p.kind(-1)) && isWordAt(p.next(1), "in") && startsOperand(p.kind(2))
}

var basicTypes = []string{"int", "float", "double", "string", "bool", "char", "byte", "long", "float64", "int64", "boolean"}

func isBasicType(p place) bool {
	return p.kind(0) == token.IDENT && slices.Contains(basicTypes, p.text(0))
}

func basicTypeFirst(p place) bool {
	return isBasicType(p) && p.starts() && p.kind(1) == token.IDENT
}

// bracketsAfterType finds int[] and int[3].
func bracketsAfterType(p place) bool {
	return isBasicType(p) && p.kind(1) == token.LBRACK && (p.kind(2) == token.RBRACK || p.kind(2) == token.INT && p.kind(3) == token.RBRACK)
}

// incremented finds ++ or -- where no statement ends, or before its variable.
func incremented(p place) bool {
	return (p.kind(0) == token.INC || p.kind(0) == token.DEC) && (p.toks[p.i].off == p.error || p.starts())
}

// conditional finds: y if z else w.
func conditional(p place) bool { return p.kind(0) == token.IF && endsOperand(p.kind(-1)) }

// colonBlock finds a colon that ends a line which starts like a block.
func colonBlock(p place) bool {
	if p.kind(0) != token.IF && p.kind(0) != token.FOR && p.kind(0) != token.ELSE && p.kind(0) != token.FUNC || !p.starts() {
		return false
	}
	for n := 1; n < maxPlaces; n++ {
		switch p.kind(n) {
		case token.LBRACE, token.ILLEGAL, token.SEMICOLON:
			return false
		case token.COLON:
			return p.toks[p.i+n].off >= p.error || p.kind(n+1) != token.ILLEGAL
		}
	}
	return false
}

func headerInParens(p place) bool { return p.kind(0) == token.FOR && p.kind(1) == token.LPAREN }

// noBraces finds an if or for whose line has no brace.
func noBraces(p place) bool {
	if p.kind(0) != token.IF && p.kind(0) != token.FOR || !p.starts() {
		return false
	}
	for n := 1; n < maxPlaces; n++ {
		switch p.kind(n) {
		case token.LBRACE:
			return false
		case token.SEMICOLON, token.ILLEGAL:
			return p.kind(n) == token.ILLEGAL || p.toks[p.i+n].lit == "\n"
		}
	}
	return false
}

// headerAbove finds an if or for on the line above, which has no brace.
func headerAbove(p place) bool {
	n := -1
	for p.kind(n) != token.SEMICOLON && p.kind(n) != token.ILLEGAL && n > -maxPlaces {
		n--
	}
	if p.kind(n) != token.SEMICOLON || p.toks[p.i+n].lit != "\n" {
		return false
	}
	for n--; n > -maxPlaces; n-- {
		switch p.kind(n) {
		case token.IF, token.FOR:
			*p.blamed = p.i + n
			return p.next(n).starts()
		case token.SEMICOLON:
			if p.toks[p.i+n].lit == "\n" {
				return false
			}
		case token.ILLEGAL, token.LBRACE, token.RBRACE:
			return false
		}
	}
	return false
}

func assigned(k token.Token) func(place) bool {
	return func(p place) bool { return p.kind(0) == k }
}

func declaredByDefine(p place) bool {
	return (p.kind(0) == token.VAR || p.kind(0) == token.CONST) && p.kind(1) == token.IDENT && p.kind(2) == token.DEFINE
}

func namedInFunc(p place) bool {
	return p.kind(0) == token.FUNC && p.kind(1) == token.IDENT && p.toks[p.i+1].off == p.error
}
