package mutate

// rewriteRows are what refuses a script before it runs.
func rewriteRows() []Mutation {
	rows := append(syntaxRows(), boundsRows()...)
	return append(rows, verifyRows()...)
}

func syntaxRows() []Mutation {
	return []Mutation{
		{
			ID: "overwrite/assigned", Defence: "a struct of the host with hidden fields is not assigned to through a pointer",
			File:    "rewrite/check/check_overwrite.go",
			Old:     `ok && c.isShared(c.typeOf(star)) {`,
			New:     `ok && c.isHost(nil) && c.isShared(c.typeOf(star)) {`,
			Package: "./rewrite/check", Test: "TestCorpus/overwrite",
		}, {
			ID: "overwrite/generic", Defence: "nor by generic code of the script",
			File:    "rewrite/check/check_overwrite.go",
			Old:     `if c.isShared(t) {`,
			New:     `if t == nil && c.isShared(t) {`,
			Package: "./rewrite/check", Test: "TestCorpus/overwrite",
		}, {
			ID: "overwrite/converted", Defence: "nor through a pointer to a type of the script with the same fields",
			File:    "rewrite/check/check_overwrite.go",
			Old:     `return c.rejectOverwrite(call, ptr.Elem())`,
			New:     `return nil`,
			Package: "./rewrite/check", Test: "TestCorpus/overwrite",
		}, {
			ID: "overwrite/variables", Defence: "variables of the host are not assigned to or addressed",
			File:    "rewrite/check/check_host.go",
			Old:     `!c.isHost(v) || c.universe.Settable(v) {`,
			New:     `c.isHost(v) || c.universe.Settable(v) {`,
			Package: "./rewrite/check", Test: "TestCorpus/host_write",
		}, {
			ID: "overwrite/methods", Defence: "nor addressed by a method that is called on them",
			File:    "rewrite/check/check_host.go",
			Old:     `if c.addresses(n) {`,
			New:     `if n == nil && c.addresses(n) {`,
			Package: "./rewrite/check", Test: "TestCorpus/host_write",
		}, {
			ID: "handle/values", Defence: "scripts have no values of opaque types",
			File:    "rewrite/check/check_handle.go",
			Old:     `rs = append(rs, c.handleValue(x, h))`,
			New:     `_ = x`,
			Package: "./rewrite/check", Test: "TestCorpus/handle",
		}, {
			ID: "handle/generic", Defence: "nor has their generic code",
			File:    "rewrite/check/check_handle.go",
			Old:     `rs = append(rs, c.handleValue(id, h))`,
			New:     `_ = id`,
			Package: "./rewrite/check", Test: "TestCorpus/handle",
		}, {
			ID: "overwrite/packages", Defence: "what the script's packages have from the host is not overwritten by the script",
			File:    "rewrite/check/packages.go",
			Old:     `todo = append(todo, pkg.Imports()...)`,
			New:     `_ = pkg`,
			Package: "./sandtrap", Test: "TestPackagesBring",
		}, {
			ID: "overwrite/loaded", Defence: "nor what the values of a loaded session lead to",
			File:    "rewrite/check/check_overwrite.go",
			Old:     `if g.brings(t) {`,
			New:     `if t == nil && g.brings(t) {`,
			Package: "./sandtrap/sandtraptest/sessions", Test: "TestLoadedKept",
		}, {
			ID: "syntax/shared-type", Defence: "a type that go/types reads for each of many variables is bounded",
			File:    "rewrite/internal/checkcost/walk.go",
			Old:     `total += float64(len(v.Names)-1) * nodes(v.Type)`,
			New:     `total += 0 * nodes(v.Type)`,
			Package: "./rewrite/internal/checkcost", Test: "TestCorpus",
		}, {
			ID: "syntax/spelled", Defence: "types that the rewriter writes for variables are bounded together",
			File:    "rewrite/lower_type.go",
			Old:     `s.l.spelled > maxSpelled {`,
			New:     `s.l.spelled < 0 {`,
			Package: "./rewrite", Test: "TestSpelledTypes",
		}, {
			ID: "syntax/saved", Defence: "a saved session has no variable of a name that scripts cannot give one",
			File:    "rewrite/cell_variables.go",
			Old:     `if !declarable(in.Name) {`,
			New:     `if in.Type == nil {`,
			Package: "./rewrite", Test: "TestRestoreMalformed",
		}, {
			ID: "syntax/unknown", Defence: "syntax without a row is refused",
			File:    "rewrite/parse/validate.go",
			Old:     `return s.rejectNode(n, diag.BadNode, name, "this syntax ("+name+") is not known to the sandbox", "write it another way"), false`,
			New:     `return nil, false`,
			Package: "./rewrite/parse", Test: "TestUnknownNodeRefused",
		}, {
			ID: "syntax/denied", Defence: "syntax that its row denies is refused",
			File:    "rewrite/parse/validate.go",
			Old:     `return s.rejectNode(n, diag.BadNode, name, "this syntax ("+name+") is not allowed: "+row.Why, ""), false`,
			New:     `return nil, false`,
			Package: "./rewrite/parse", Test: "TestUnknownNodeRefused",
		}, {
			ID: "syntax/unsafe", Defence: "no policy allows unsafe or cgo",
			File:    "rewrite/parse/validate.go",
			Old:     `if why, denied := deniedImports[path]; denied {`,
			New:     `if why, denied := deniedImports[path]; denied && why == "" {`,
			Package: "./rewrite/parse", Test: "TestRefusedConstructs",
		}, {
			ID: "syntax/gates", Defence: "a script cannot import the gates",
			File:    "rewrite/parse/validate.go",
			Old:     `if path == abi.Path || strings.HasPrefix(path, abi.Path+"/") {`,
			New:     `if path == abi.Path && !strings.HasPrefix(path, abi.Path) {`,
			Package: "./rewrite/parse", Test: "TestRefusedConstructs",
		}, {
			ID: "syntax/dot-import", Defence: "dot imports are refused",
			File:    "rewrite/parse/validate.go",
			Old:     `case spec.Name.Name == ".":`,
			New:     `case spec.Name.Name == "..":`,
			Package: "./rewrite/parse", Test: "TestRefusedConstructs",
		}, {
			ID: "syntax/no-body", Defence: "a function without a body is refused",
			File:    "rewrite/parse/validate.go",
			Old:     `if n.Body == nil {`,
			New:     `if n.Body == nil && n.Name == nil {`,
			Package: "./rewrite/parse", Test: "TestRefusedConstructs",
		}, {
			ID: "syntax/directive-unknown", Defence: "a directive without a row is refused",
			File:    "rewrite/parse/validate.go",
			Old:     "if row.Allowed {\n\t\treturn nil",
			New:     "if row.Allowed || !known {\n\t\treturn nil",
			Package: "./rewrite/parse", Test: "TestRefusedConstructs",
		}, {
			ID: "syntax/linkname", Defence: "go:linkname is refused",
			File:    "rewrite/parse/validate.go",
			Old:     `"go:linkname":    {false,`,
			New:     `"go:linkname":    {true,`,
			Package: "./rewrite/parse", Test: "TestRefusedConstructs",
		}, {
			ID: "syntax/comments", Defence: "comments are blanked, so that they have no effect on positions",
			File:    "rewrite/parse/bounds.go",
			Old:     `markdown.Blank(out.code, off, commentEnd(code, off))`,
			New:     `_ = commentEnd`,
			Package: "./rewrite/parse", Test: "TestCommentsAreBlanked",
		}, {
			ID: "syntax/reserved", Defence: "a script cannot use the names of gates",
			File:    "rewrite/parse/bounds.go",
			Old:     `if Reserved(t.lit) {`,
			New:     `if Reserved(t.lit) && t.kind == token.EOF {`,
			Package: "./rewrite/parse", Test: "TestReservedNames",
		}, {
			ID: "syntax/reserved-case", Defence: "a script cannot use the names of gates in another case of letters, of Unicode either",
			File:    "rewrite/parse/bounds.go",
			Old:     `strings.EqualFold(name[:n], abi.Prefix)`,
			New:     `strings.ToLower(name[:n]) == abi.Prefix`,
			Package: "./rewrite/parse", Test: "TestReservedNames",
		}, {
			ID: "syntax/bidi", Defence: "bidirectional controls are refused outside of literals",
			File:    "rewrite/parse/bidi.go",
			Old:     `if r == 0 || len(out.bidi)`,
			New:     `if r >= 0 || len(out.bidi)`,
			Package: "./rewrite", Test: "TestBidi",
		}, {
			ID: "syntax/bidi-mark", Defence: "a permitted mark in a comment does not hide another control behind it",
			File:    "rewrite/parse/bidi.go",
			Old:     `plaintext.IsBidi(r) && !isMark(r)`,
			New:     `r < 0`,
			Package: "./rewrite", Test: "TestBidi",
		}, {
			ID: "syntax/own-interface", Defence: "for yaegi, an interface of the script cannot have a method that a gate replaces",
			File:    "rewrite/check/check_bypass.go",
			Old:     `if name := t.ungated(i, typ); name != "" {`,
			New:     `if name := t.ungated(i, typ); name == "-" {`,
			Package: "./rewrite", Test: "TestInterfaceBypass",
		},
	}
}

func boundsRows() []Mutation {
	return []Mutation{
		{
			ID: "bounds/bytes", Defence: "the bytes of a text are bounded",
			File:    "rewrite/parse/source.go",
			Old:     `if len(text) > b.Bytes {`,
			New:     `if len(text) > 1000*b.Bytes {`,
			Package: "./rewrite/parse", Test: "TestBounds/bytes_of_a_comment",
		}, {
			ID: "bounds/tokens", Defence: "the tokens of a text are bounded",
			File:    "rewrite/parse/bounds.go",
			Old:     `if limit := b.Bytes / 2; len(out.toks) > limit {`,
			New:     `if limit := b.Bytes * 2; len(out.toks) > limit {`,
			Package: "./rewrite/parse", Test: "TestBounds/tokens",
		}, {
			ID: "bounds/identifier", Defence: "the length of an identifier is bounded",
			File:    "rewrite/parse/bounds.go",
			Old:     `if len(t.lit) > maxName {`,
			New:     `if len(t.lit) > 1000*maxName {`,
			Package: "./rewrite/parse", Test: "TestBounds/identifier",
		}, {
			ID: "bounds/digits", Defence: "the digits of a number are bounded",
			File:    "rewrite/parse/bounds.go",
			Old:     `if len(t.lit) > maxDigits {`,
			New:     `if len(t.lit) > 1000*maxDigits {`,
			Package: "./rewrite/parse", Test: "TestBounds/digits",
		}, {
			ID: "bounds/exponent", Defence: "the exponent of a number is bounded",
			File:    "rewrite/parse/bounds.go",
			Old:     `if checkcost.Exponent(t.lit) > checkcost.MaxExponent {`,
			New:     `if checkcost.Exponent(t.lit) < -checkcost.MaxExponent {`,
			Package: "./rewrite/parse", Test: "TestBounds/exponent",
		}, {
			ID: "bounds/brackets", Defence: "the nesting of brackets is bounded",
			File:    "rewrite/parse/nesting.go",
			Old:     `if len(n.open) > n.limit {`,
			New:     `if len(n.open) > 1000*n.limit {`,
			Package: "./rewrite/parse", Test: "TestBounds",
		}, {
			ID: "bounds/tree", Defence: "nesting without brackets is bounded too",
			File:    "rewrite/parse/nesting.go",
			Old:     `if limit := n.limit * treeFactor; n.depth > limit {`,
			New:     `if limit := n.limit * treeFactor; n.depth > 1000*limit {`,
			Package: "./rewrite/parse", Test: "TestBounds/(unary|binary|labels)",
		}, {
			ID: "bounds/chain", Defence: "chains of declarations that depend on each other are bounded",
			File:    "rewrite/internal/checkcost/types.go",
			Old:     `if s.chain > maxChain {`,
			New:     `if s.chain > 1000*maxChain {`,
			Package: "./rewrite", Test: "TestCheckRefusesBombs/chain_of_variables",
		}, {
			ID: "bounds/methods", Defence: "the methods of an interface are bounded",
			File:    "rewrite/internal/checkcost/check.go",
			Old:     `case c.methods > maxMethods:`,
			New:     `case c.methods > 1000*maxMethods:`,
			Package: "./rewrite", Test: "TestCheckRefusesBombs/methods",
		}, {
			ID: "bounds/embedded", Defence: "the embedded types of all structs are bounded",
			File:    "rewrite/internal/checkcost/check.go",
			Old:     `case w.embeds > 2e4:`,
			New:     `case w.embeds > 2e9:`,
			Package: "./rewrite/internal/checkcost", Test: "TestBoundsOfCheck",
		}, {
			ID: "bounds/promoted", Defence: "the fields that structs have of embedded ones are bounded",
			File:    "rewrite/internal/checkcost/check.go",
			Old:     `case w.embeds*w.own > 4e5:`,
			New:     `case w.embeds*w.own > 4e9:`,
			Package: "./rewrite/internal/checkcost", Test: "TestBoundsOfCheck",
		}, {
			ID: "bounds/kept-fields", Defence: "what encoders find out about structs with many fields of embedded ones ends with the run",
			File:    "sandtrap/internal/engine/vm/mirror/reflect_made.go",
			Old:     `if owns(m.P, t) && !partOfHost(t, nil) && !promotesMany(t) {`,
			New:     `if owns(m.P, t) && !partOfHost(t, nil) {`,
			Package: "./sandtrap/sandtraptest/ends", Test: "TestKeptFields",
		}, {
			ID: "bounds/constants", Defence: "the length of a constant text is bounded",
			File:    "rewrite/internal/checkcost/check.go",
			Old:     `maxStringConst = 1 << 20`,
			New:     `maxStringConst = 1 << 40`,
			Package: "./rewrite", Test: "TestCheckRefusesBombs/constdouble",
		}, {
			ID: "bounds/literals", Defence: "the memory of a literal is bounded",
			File:    "rewrite/internal/checkcost/memory.go",
			Old:     `m.literal(f.Info, lit) > MaxBytes {`,
			New:     `m.literal(f.Info, lit) < 0 {`,
			Package: "./rewrite", Test: "TestCheckRefusesBombs/literal_with_a_far_key",
		},
	}
}

func verifyRows() []Mutation {
	return []Mutation{
		{
			ID: "verify/tick", Defence: "a rewritten body without a tick is found",
			File:    "rewrite/verify.go",
			Old:     `if body == nil || len(body.List) == 0 || !v.isTick(body.List[0]) {`,
			New:     `if body != nil && len(body.List) < 0 {`,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/goto", Defence: "a goto without a tick is found",
			File:    "rewrite/verify.go",
			Old:     `if n.Tok == token.GOTO && !v.guarded[n] {`,
			New:     `if n.Tok == token.GOTO && v.guarded == nil && n.Label == nil {`,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/recover", Defence: "a recover without its gate is found",
			File:    "rewrite/verify.go",
			Old:     `if obj := v.info.Uses[id]; obj == nil || obj.Pkg() != v.pkg {`,
			New:     `if obj := v.info.Uses[id]; obj != nil && obj.Name() == "" {`,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/import", Defence: "an import that no row allows is found",
			File:    "rewrite/verify.go",
			Old:     "\tif !ok {\n\t\tv.fail(n, \"import of",
			New:     "\tif !ok && n == nil {\n\t\tv.fail(n, \"import of",
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/reserved", Defence: "a reserved name that the rewriter did not make is found",
			File:    "rewrite/verify.go",
			Old:     `case strings.HasPrefix(strings.ToLower(id.Name), abi.Prefix) && !temporary(id.Name):`,
			New:     `case id.Name == abi.Prefix && !temporary(id.Name):`,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/member", Defence: "a field or method of the host without a gate is found",
			File:    "rewrite/verify.go",
			Old:     `if v.throughHost(t, index, field) || !field && v.hostMethod(t, obj) {`,
			New:     `if n == nil && (v.throughHost(t, index, field) || !field && v.hostMethod(t, obj)) {`,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/binding", Defence: "a binding that is not in the list of bindings is found",
			File:    "rewrite/verify.go",
			Old:     `return ok && i < len(p.bindings) && p.bindings[i].Kind`,
			New:     `return ok && (i < 0 || i >= len(p.bindings)) || ok && p.bindings[i].Kind`,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		}, {
			ID: "verify/syntax", Defence: "syntax that the verifier does not know is found",
			File:    "rewrite/verify.go",
			Old:     `v.fail(n, "%T is not known", n)`,
			New:     ``,
			Package: "./rewrite", Test: "TestVerifyRefuses",
		},
	}
}
