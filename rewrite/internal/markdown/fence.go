package markdown

import (
	"iter"
	"slices"
	"strings"
)

// A Candidate is one reading of where the code is in a text.
type Candidate struct {
	Code     []byte // as long as the text, what is not code blanked; nil: no code, for the reason why
	Why      string
	At       int  // offset that why is about
	Left     int  // offset of what is left out as what the code prints; 0 if nothing is
	Likelier bool // its errors say more than those of the candidates before
}

// Candidates are the readings of text: without what the code prints, if that follows it; as it is; then the code of its Markdown
// fences, or else without the prose around; of what is left without the tags that models
// put around code, if there are some.
func Candidates(text string) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if inner, ok := unquoted(text); ok && !yield(Candidate{Code: []byte(inner)}) {
			return
		}
		if at, ok := outputFrom(text); ok {
			code := []byte(text)
			if Blank(code, at, len(code)); !yield(Candidate{Code: code, Left: at}) {
				return
			}
		}
		if !yield(Candidate{Code: []byte(text)}) {
			return
		}
		if inner, ok := WithoutTags(text); ok {
			if text = inner; !yield(Candidate{Code: []byte(text), Likelier: true}) {
				return
			}
		}
		if blocks := fences(text); blocks != nil {
			for _, c := range fenced(text, blocks) {
				if !yield(c) {
					return
				}
			}
			return
		}
		if code, found := withoutProse(text); found {
			c := Candidate{Code: code, Likelier: true}
			if strings.TrimSpace(string(code)) == "" {
				c = Candidate{Why: "no Go code in the text: it reads like prose", Likelier: true}
			}
			yield(c)
		}
	}
}

// A block is what one Markdown fence holds.
type block struct {
	open     int // offset of the opening line
	from, to int // offsets of the lines between
	lang     string
	closed   bool
}

// fences finds the fenced blocks of text. Fences may be indented to any depth, and
// the last one may lack its end.
func fences(text string) []block {
	var blocks []block
	var fence string // of the open block
	off := 0
	for line := range strings.Lines(text) {
		mark, info, ok := FenceLine(line)
		last := len(blocks) - 1
		switch {
		case fence == "" && ok:
			fence = mark
			blocks = append(blocks, block{open: off, from: off + len(line), to: len(text), lang: language(info)})
		case fence != "" && ok && info == "" && strings.HasPrefix(mark, fence):
			fence = ""
			blocks[last].to, blocks[last].closed = off, true
		}
		off += len(line)
	}
	return blocks
}

// FenceLine takes a fence line apart: the three or more marks, and the info after.
func FenceLine(line string) (mark, info string, ok bool) {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "`")
	if rest == line {
		rest = strings.TrimLeft(line, "~")
	}
	mark = line[:len(line)-len(rest)]
	return mark, strings.TrimSpace(rest), len(mark) >= 3 && !strings.Contains(rest, "`")
}

// language is the language that the info of a fence names: "go" for Go, "" if it names
// none. Info comes as "go", "golang", "Go title=x", "go,playground", "{.go}".
func language(info string) string {
	info = strings.ToLower(strings.TrimLeft(info, "{. "))
	if i := strings.IndexAny(info, " \t,:}{"); i >= 0 {
		info = info[:i]
	}
	if v := strings.TrimRight(info, "0123456789."); v == "go" || v == "golang" {
		return "go"
	}
	return info
}

// fenced gives the code in blocks: of those marked as Go if there are any, else
// of those not marked at all.
func fenced(text string, blocks []block) []Candidate {
	for _, lang := range []string{"go", ""} {
		if hasLanguage(blocks, lang) {
			c := Candidate{Code: only(text, blocks, lang), Likelier: true}
			if strings.TrimSpace(string(c.Code)) == "" {
				c = Candidate{Why: "no Go code in the text: the fenced block is empty", At: blocks[0].open, Likelier: true}
			}
			return append([]Candidate{c}, beforeFence(text, blocks)...)
		}
	}
	var list []Candidate
	if reads := only(text, blocks, blocks[0].lang); looksLikeGo(string(reads)) { // marked wrongly, if it parses
		list = append(list, Candidate{Code: reads})
	}
	return append(list, Candidate{
		Why:      "no Go code in the text: the fenced block is marked as " + blocks[0].lang,
		At:       blocks[0].open,
		Likelier: true,
	})
}

func hasLanguage(blocks []block, lang string) bool {
	return slices.ContainsFunc(blocks, func(b block) bool { return b.lang == lang })
}

// only blanks all but the blocks of one language.
func only(text string, blocks []block, lang string) []byte {
	code := []byte(text)
	end := 0
	for _, b := range blocks {
		if b.lang == lang {
			Blank(code, end, b.from)
			end = b.to
		}
	}
	Blank(code, end, len(code))
	return code
}

// beforeFence is for answers whose opening fence was cut off: code, one bare fence
// line, and prose or nothing.
func beforeFence(text string, blocks []block) []Candidate {
	b := blocks[0]
	if len(blocks) > 1 || b.closed || b.lang != "" || strings.TrimSpace(text[:b.open]) == "" {
		return nil
	}
	code := []byte(text)
	Blank(code, b.open, len(code))
	rest := strings.TrimSpace(text[b.from:])
	return []Candidate{{Code: code, Likelier: rest == "" || IsProse(firstLine(rest))}}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Blank overwrites b[from:to], which is no code, with spaces: positions stay. Line ends stay, since they can end
// statements.
func Blank(b []byte, from, to int) {
	for i := from; i < to && i < len(b); i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
