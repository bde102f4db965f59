package parse

import (
	"go/token"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// mistakes are tried in order.
var mistakes = []mistake{
	// What is no Go text at all.
	{"U+2026", nil, diag.Elided, "… is left in place of code", "write the code out"},
	{"", elided, diag.Elided, "... is left in place of code", "write the code out"},
	{"U+003F", nil, diag.OtherLanguage, "Go has no operator with ?", "write an if statement: of a pointer if p != nil { ... }, of an error if err != nil { return err }"},
	{"U+0023", nil, diag.OtherLanguage, "# means nothing in Go", "comments start with //"},
	{"U+0040", nil, diag.OtherLanguage, "@ means nothing in Go: there are no decorators or annotations", "remove it, or call the function around yours"},
	{"U+0024", nil, diag.OtherLanguage, "$ means nothing in Go", "names are plain; strings are formatted with fmt.Sprintf"},
	{"U+005C", nil, diag.OtherLanguage, `\ means nothing outside of a literal`, `lines go on after an operator, comma or opening bracket; remove \`},
	{"U+201", nil, diag.BadSyntax, "a curly quotation mark", `write " around strings, ' around single characters`},
	{"curly quotation mark", nil, diag.BadSyntax, "a curly quotation mark", `write " around strings`},
	{"U+00A0", nil, diag.BadSyntax, "a no-break space (U+00A0)", "replace it with a plain space"},
	{"U+200", nil, diag.BadSyntax, "an invisible character", "remove it"},
	{"U+FEFF", nil, diag.BadSyntax, "an invisible character (byte order mark)", "remove it"},

	// Literals.
	{"raw string literal not terminated", nil, diag.BadSyntax, "this raw string is never closed", "add the closing `; or the text was cut off"},
	{"string literal not terminated", nil, diag.BadSyntax, "this string is not closed on its line", "add the closing \"; a string of several lines stands between backquotes, or has \\n in it"},
	{"comment not terminated", nil, diag.BadSyntax, "this comment is never closed", "add the closing */; or the text was cut off"},
	{"rune literal", nil, diag.BadSyntax, "single quotes hold one character", `write "..." for a string`},
	{"unknown escape sequence", nil, diag.BadSyntax, "unknown escape sequence", "write \\\\ for a backslash, or put the string between backquotes"},
	{"", formatString, diag.OtherLanguage, "Go has no strings with a prefix such as %s", `use fmt.Sprintf("...", values)`},
	{"unexpected comma; expecting ]", nil, diag.OtherLanguage, "a list of values needs its type", "write []int{1, 2}, with the type of the elements"},
	{"expected operand, found '{'", nil, diag.OtherLanguage, "a composite literal needs its type", "write []T{...}, map[K]V{...} or T{...}"},

	{"", entity, diag.MarkdownLeft, "the source is escaped as HTML is", "send it as it is, with \", <, > and & written out"},

	// Words and operators of other languages.
	{"expected selector or type assertion, found 'map'", nil, diag.OtherLanguage, "map is a type in Go and no method", "write a loop: for _, x := range xs { ... }"},
	{"expected selector or type assertion, found '", nil, diag.BadSyntax, "a word of Go cannot be the name of a field or method", "use another name"},
	{"", operators(token.ASSIGN, token.GTR), diag.OtherLanguage, "Go has no =>", "a function is written func(x int) int { return ... }, a case of a switch case x:"},
	{"", arrowInCall, diag.OtherLanguage, "Go has no ->", "a function is written func(x int) int { return ... }"},
	{"expected operand, found '|'", nil, diag.OtherLanguage, "Go has no closures between |", "a function is written func(x int) int { return ... }"},
	{"", namedArgument, diag.OtherLanguage, "Go has no named arguments such as %s", "give the values alone, in the order of the parameters"},
	{"", within("try"), diag.OtherLanguage, "Go has no try", "functions return an error: if err != nil { ... }; defer runs at the end"},
	{"", within("do", "loop", "repeat"), diag.OtherLanguage, "Go has no loops but for", "write for { ... }, with if done { break } at its end"},
	{"", loopIn, diag.OtherLanguage, "Go has no for ... in loops", "write for _, x := range xs { ... }"},
	{"", startsWith("def", "fn", "function", "fun", "sub"), diag.OtherLanguage, "%s is not Go", "write func name(x int) int { ... }"},
	{"", startsWith("class"), diag.OtherLanguage, "Go has no classes", "write type Name struct { ... } and methods func (n *Name) Method() { ... }"},
	{"", startsWith("enum"), diag.OtherLanguage, "Go has no enum", "write a type and constants with iota"},
	{"", startsWith("while", "until", "do", "loop"), diag.OtherLanguage, "Go has no %s loops", "write for condition { ... }"},
	{"", startsWith("foreach"), diag.OtherLanguage, "Go has no foreach", "write for _, x := range xs { ... }"},
	{"", startsWith("unless"), diag.OtherLanguage, "Go has no unless", "write if !condition { ... }"},
	{"", startsWith("elif", "elsif", "elseif"), diag.OtherLanguage, "%s is not Go", "write } else if condition { on one line"},
	{"", startsWith("try", "catch", "except", "finally"), diag.OtherLanguage, "Go has no %s", "functions return an error: if err != nil { ... }; defer runs at the end"},
	{"", startsWith("throw", "raise"), diag.OtherLanguage, "Go has no %s", "return an error, or call panic"},
	{"", startsWith("print", "echo", "puts"), diag.OtherLanguage, "%s is not a statement in Go", "write fmt.Println(x)"},
	{"", startsWith("let", "val", "mut", "auto", "my"), diag.OtherLanguage, "%s is not Go", "write x := value"},
	{"", startsWith("public", "private", "protected", "static", "final", "async", "pub", "export", "abstract"), diag.OtherLanguage, "Go has no modifier %s", "remove it; a name with a capital is exported"},
	{"", startsWith("from", "using", "include", "require"), diag.OtherLanguage, "%s is not Go", `write import "path"`},
	{"", startsWith("await"), diag.OtherLanguage, "Go has no await", "call the function; go starts it beside"},
	{"", importsAs, diag.OtherLanguage, "%s is not imported like that in Go", `write import "path"; the packages of other languages are not here`},
	{"", declaredByKeyword, diag.OtherLanguage, "%s does not begin a declaration in Go", "write type Name %s { ... }"},
	{"", listedFields, diag.BadSyntax, "fields are not separated by commas", "write each on a line of its own, or a semicolon between them"},
	{"", bracketsAfterType, diag.OtherLanguage, "brackets come before the element type in Go", "write []%s, with the length of an array between them"},
	{"", basicTypeFirst, diag.OtherLanguage, "a type comes after the name in Go, not before", "write var x %s = value, or x := value"},
	{"", wordBetween("in"), diag.OtherLanguage, "Go has no operator in", "write slices.Contains(list, x); of a map, _, ok := m[key] and then ok"},
	{"", wordBetween("is"), diag.OtherLanguage, "Go has no operator is", "write ==, or x, ok := v.(T) for the type of an interface"},
	{"", wordBetween("and"), diag.OtherLanguage, "Go has no and", "write &&"},
	{"", wordBetween("or"), diag.OtherLanguage, "Go has no or", "write ||"},
	{"", wordBefore("not"), diag.OtherLanguage, "Go has no not", "write !"},
	{"", wordBefore("await"), diag.OtherLanguage, "Go has no await", "call the function; go starts it beside"},
	{"", wordBefore("new"), diag.OtherLanguage, "new is a function in Go", "write T{...}, &T{...} or new(T)"},
	{"", wordBefore("lambda"), diag.OtherLanguage, "Go has no lambda", "write func(x int) int { return ... }"},
	{"", operators(token.EQL, token.ASSIGN), diag.OtherLanguage, "Go has no ===", "write =="},
	{"", operators(token.NEQ, token.ASSIGN), diag.OtherLanguage, "Go has no !==", "write !="},
	{"", operators(token.LSS, token.GTR), diag.OtherLanguage, "Go has no <>", "write !="},
	{"", operators(token.SUB, token.GTR), diag.OtherLanguage, "Go has no ->", "members are selected with a dot, also through pointers; a result type follows the parameters directly"},
	{"", operators(token.COLON, token.COLON), diag.OtherLanguage, "Go has no ::", "write a dot after the package name"},
	{"", incremented, diag.OtherLanguage, "%s is a statement in Go, after its variable and not part of an expression", "write it on a line of its own: i++"},
	{"", conditional, diag.OtherLanguage, "Go has no conditional expressions", "use an if statement"},
	{"", namedValue, diag.OtherLanguage, "Go has no named arguments such as %s", "give the values alone, in the order of the parameters"},
	{"", apart(token.COLON, token.ASSIGN), diag.BadSyntax, ": and = stand apart", "write x := value"},
	{"", typeAfterColon, diag.OtherLanguage, "a type follows its parameter without a colon", "write func f(x, y int)"},
	{"", colonBlock, diag.OtherLanguage, "Go has blocks in braces, not after a colon", "write { ... }"},

	// Go, but not quite.
	{"missing import path", nil, diag.BadSyntax, "an import path is a string", `write import "fmt"`},
	{"expected statement, found 'else'", nil, diag.BadSyntax, "else on a line of its own", "put it on the line of the closing brace: } else {"},
	{"found 'case'", nil, diag.BadSyntax, "a case outside of a switch or select", "write it inside of switch x { ... }"},
	{"found 'default'", nil, diag.BadSyntax, "default outside of a switch or select", "write it inside of switch x { ... }"},
	{"before {", nil, diag.BadSyntax, "the opening brace stands on a line of its own", "put { at the end of the line before"},
	{"expecting { after", nil, diag.BadSyntax, "the opening brace is not on this line", "put { at its end"},
	{"expected '{', found newline", nil, diag.BadSyntax, "the opening brace is not on this line", "put { at its end"},
	{"expected for loop condition", nil, diag.BadSyntax, "this for loop has no condition or no { on its line", "write for i := 0; i < n; i++ {, with { at the end of the line"},
	{"", headerInParens, diag.OtherLanguage, "the header of a for loop has no parentheses in Go", "write for i := 0; i < n; i++ {"},
	{"", noBraces, diag.BadSyntax, "the body of %s needs braces", "write { ... } around it"},
	{"found assignment", assigned(token.ASSIGN), diag.BadSyntax, "= assigns and is no condition", "write == to compare"},
	{"found assignment", assigned(token.DEFINE), diag.BadSyntax, ":= alone is no condition", "write if x := f(); x > 0 {"},
	{"", declaredByDefine, diag.BadSyntax, "var and const go with =, not with :=", "write x := value, or %s x = value"},
	{"missing ',' before newline", nil, diag.BadSyntax, "a comma is missing at the end of this line", "end the line with a comma, or put the closing bracket on it"},
	{"missing ',' in", nil, diag.BadSyntax, "a comma is missing here", "separate the elements with commas"},
	{"imports must appear before", nil, diag.BadSyntax, "an import after other declarations", "move it to the top, below the package clause"},
	{"found 'import'", nil, diag.BadSyntax, "an import inside of a function", "move it to the top of the program"},
	{"expected '(', found", namedInFunc, diag.BadSyntax, "a function with a name cannot be declared inside of another", "write name := func(...) { ... }, or move it out"},
	{"expected declaration, found", nil, diag.BadSyntax, "a statement outside of a function", "move it into func main; without a package clause, statements may stand anywhere"},
	{"method must have no type parameters", nil, diag.BadSyntax, "method must have no type parameters", "write a function: func Map[T, U any](s Stack[T], f func(T) U) []U"},
	{"expected 1 expression", nil, diag.BadSyntax, "several expressions where one belongs", "write a statement for each; fmt.Println(x, y) prints several"},
	{"in go must be function call", nil, diag.BadSyntax, "go wants a call", "write go f(), or go func() { ... }()"},
	{"in defer must be function call", nil, diag.BadSyntax, "defer wants a call", "write defer f(), or defer func() { ... }()"},
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
	next := place{p.toks, p.i + 1, p.error}
	return next.pair(token.SUB, token.GTR) && p.inCall(token.SUB)
}

// within finds what is inside of a block that one of words begins, which go/parser takes for a literal of a type.
func within(words ...string) func(place) bool {
	return func(p place) bool {
		for depth, n := 0, -1; n > -maxPlaces && p.kind(0) != token.RBRACE; n-- {
			switch p.kind(n) {
			case token.ILLEGAL:
				return false
			case token.RBRACE:
				depth++
			case token.LBRACE:
				if depth--; depth < 0 {
					at := place{p.toks, p.i + n - 1, p.error}
					return at.kind(0) == token.IDENT && at.starts() && slices.Contains(words, at.text(0))
				}
			}
		}
		return false
	}
}

// entity finds &quot; and the like.
func entity(p place) bool {
	return p.pair(token.AND, token.IDENT) && p.kind(2) == token.SEMICOLON && slices.Contains([]string{"quot", "lt", "gt", "amp", "apos", "nbsp"}, p.text(1))
}

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
	return p.kind(0) == token.IDENT && p.kind(-1) == token.IMPORT && isWordAt(place{p.toks, p.i + 1, p.error}, "as")
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

func formatString(p place) bool {
	return p.kind(0) == token.IDENT && len(p.text(0)) <= 2 && p.pair(token.IDENT, token.STRING)
}

func loopIn(p place) bool {
	if p.kind(0) != token.FOR {
		return false
	}
	for n := 1; n < 8; n++ {
		if p.kind(n) == token.IDENT && (p.text(n) == "in" || p.text(n) == "of") {
			return p.kind(n-1) == token.IDENT || p.kind(n-1) == token.RPAREN
		}
	}
	return false
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

func assigned(k token.Token) func(place) bool {
	return func(p place) bool { return p.kind(0) == k }
}

func declaredByDefine(p place) bool {
	return (p.kind(0) == token.VAR || p.kind(0) == token.CONST) && p.kind(1) == token.IDENT && p.kind(2) == token.DEFINE
}

func namedInFunc(p place) bool {
	return p.kind(0) == token.FUNC && p.kind(1) == token.IDENT && p.toks[p.i+1].off == p.error
}
