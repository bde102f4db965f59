package mutate

// askRows are the defences of questions at a terminal, against scripts that want another answer than their calls deserve.
func askRows() []Mutation {
	return []Mutation{
		{
			ID: "ask/lines", Defence: "a text in a question stays on its line",
			File: "cmd/internal/cli/ask_text.go",
			Old: `		return plaintext.Line(text)
	}
	head`,
			New: `		return plaintext.Escape(text)
	}
	head`,
			Package: "./cmd/internal/cli", Test: "TestAskHostile/lines",
		},
		{
			ID: "ask/invisible", Defence: "a text in a question shows what has no width",
			File:    "internal/plaintext/plaintext.go",
			Old:     " && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)",
			New:     "",
			Package: "./internal/plaintext", Test: "TestLine",
		},
		{
			ID: "ask/width", Defence: "no part of a question wraps into what looks like another part",
			File:    "cmd/internal/cli/ask_text.go",
			Old:     "if used+takes >= width {",
			New:     "if used+takes >= 1000*width {",
			Package: "./cmd/internal/cli", Test: "TestAskHostile/blanks",
		},
		{
			ID: "ask/wide", Defence: "characters of two columns count as that",
			File:    "cmd/internal/cli/ask_text.go",
			Old:     `			takes = 2`,
			New:     `			takes = 1`,
			Package: "./cmd/internal/cli", Test: "TestAskHostile/wide",
		},
		{
			ID: "ask/ahead", Defence: "at a terminal a line that was typed before a question answers nothing",
			File:    "cmd/internal/cli/ask_terminal.go",
			Old:     "return withDescriptor(a.tty, flushInput)",
			New:     "return nil",
			Package: "./cmd/internal/cli", Test: "TestAskTerminal",
		},
		{
			ID: "ask/given-up", Defence: "a line that answers a question that was given up answers no other",
			File: "cmd/internal/cli/ask.go",
			Old:  `	a.lost = !a.interrupt()`,
			New: `	if a.lost = !a.interrupt(); a.lost {
		a.lost = false
		return "", ctx.Err()
	}`,
			Package: "./cmd/internal/cli", Test: "TestAskCancelled",
		},
		{
			ID: "ask/always", Defence: "an answer for all later calls is taken only where it was offered",
			File:    "cmd/internal/cli/ask.go",
			Old:     `case is("a", "always") && r.Always != "":`,
			New:     `case is("a", "always"):`,
			Package: "./cmd/internal/cli", Test: "TestAskWords",
		},
		{
			ID: "ask/tries", Defence: "the third word that is no answer denies",
			File:    "cmd/internal/cli/ask.go",
			Old:     "for range tries {",
			New:     "for range 2 * tries {",
			Package: "./cmd/internal/cli", Test: "TestAskWords",
		},
	}
}
