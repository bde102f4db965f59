package xml

import (
	"bufio"
	"bytes"
	goxml "encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Encoder is what a script sees as xml.Encoder. Go's own takes values apart by
// reflection, which finds nothing in those of a script; this one writes what the engine
// finds in them. Its exported methods beyond those of Go's are the engine's.
type Encoder struct {
	pay    Costs
	values Values
	w      *bufio.Writer

	prefix, indent string
	depth          int
	inside         bool // nothing was written since the last start
	begun          bool // a line was

	open   []goxml.Name // elements, and a Name without text for each mark
	closed bool
	err    error

	urls     map[string]string // of name spaces, by prefix
	prefixes map[string]string // by URL
	declared []string          // prefixes, and "" for each element
	seq      int
}

const spaceURL = "http://www.w3.org/XML/1998/namespace"

// NewEncoder returns an encoder that writes to w. A nil v has no values.
func NewEncoder(w io.Writer, pay Costs, v Values) *Encoder {
	pay.Charge(4096)
	return &Encoder{pay: pay, values: v, w: bufio.NewWriter(w), urls: map[string]string{}, prefixes: map[string]string{}}
}

// Indent has each element begin on a line of its own.
func (p *Encoder) Indent(prefix, indent string) { p.prefix, p.indent = prefix, indent }

// Encode writes v.
func (p *Encoder) Encode(v any) error { return p.element(v, nil) }

// EncodeElement writes v with a tag of its own.
func (p *Encoder) EncodeElement(v any, start goxml.StartElement) error { return p.element(v, &start) }

func (p *Encoder) element(v any, start *goxml.StartElement) error {
	if p.values == nil {
		return errNoValues
	}
	if err := p.values.EncodeXML(v, p, start); err != nil {
		return err
	}
	return p.w.Flush()
}

// Flush writes what is held back.
func (p *Encoder) Flush() error { return p.w.Flush() }

// Close ends the text; elements that are open are an error.
func (p *Encoder) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	if err := p.w.Flush(); err != nil {
		return err
	}
	if n := len(p.open); n > 0 {
		return fmt.Errorf("unclosed tag <%s>", p.open[n-1].Local)
	}
	return nil
}

// EncodeToken writes one token.
func (p *Encoder) EncodeToken(t goxml.Token) error {
	p.pay.Work(1)
	switch t := t.(type) {
	case goxml.StartElement:
		if err := p.Start(t); err != nil {
			return err
		}
	case goxml.EndElement:
		if err := p.End(t.Name); err != nil {
			return err
		}
	case goxml.CharData:
		p.text(t, false)
	case goxml.Comment:
		if err := p.likeGo(t); err != nil {
			return err
		}
		p.write("<!--", string(t), "-->")
	case goxml.ProcInst:
		if t.Target == "xml" && p.w.Buffered() != 0 {
			return errors.New("xml: EncodeToken of ProcInst xml target only valid for xml declaration, first token encoded")
		}
		if err := p.likeGo(t); err != nil {
			return err
		}
		if p.write("<?", t.Target); len(t.Inst) > 0 {
			p.write(" ", string(t.Inst))
		}
		p.write("?>")
	case goxml.Directive:
		if err := p.likeGo(t); err != nil {
			return err
		}
		p.write("<!", string(t), ">")
	default:
		return errors.New("xml: EncodeToken of invalid token type")
	}
	return p.Failed()
}

// likeGo is what Go's encoder says of a token that does not depend on others.
func (p *Encoder) likeGo(t goxml.Token) error {
	return goxml.NewEncoder(io.Discard).EncodeToken(t)
}

// Failed is the error of the first write that failed.
func (p *Encoder) Failed() error {
	p.write("")
	return p.err
}

func (p *Encoder) write(parts ...string) {
	if p.closed && p.err == nil {
		p.err = errors.New("use of closed Encoder")
	}
	for _, s := range parts {
		if p.err == nil {
			p.pay.Work(1 + int64(len(s))/16)
			_, p.err = p.w.WriteString(s)
		}
	}
}

// Write writes text as it is.
func (p *Encoder) Write(b []byte) (int, error) {
	p.write(string(b))
	return len(b), p.err
}

// Raw is Write for the engine.
func (p *Encoder) Raw(b []byte) error {
	p.write(string(b))
	return p.err
}

// Text writes escaped text.
func (p *Encoder) Text(b []byte) error { return p.text(b, true) }

func (p *Encoder) text(b []byte, newlines bool) error {
	if newlines {
		return goxml.EscapeText(p, b)
	}
	for i, line := range bytes.Split(b, []byte("\n")) {
		if i > 0 {
			p.write("\n")
		}
		if err := goxml.EscapeText(p, line); err != nil {
			return err
		}
	}
	return p.err
}

// CData writes text in a section that is not escaped.
func (p *Encoder) CData(b []byte) error {
	if len(b) > 0 {
		p.write("<![CDATA[", strings.ReplaceAll(string(b), "]]>", "]]]]><![CDATA[>"), "]]>")
	}
	return p.err
}

// Note writes a comment on a line of its own.
func (p *Encoder) Note(b []byte) error {
	p.line(0)
	p.write("<!--")
	if bytes.Contains(b, []byte("--")) {
		return errors.New(`xml: comments must not contain "--"`)
	}
	p.write(string(b))
	if bytes.HasSuffix(b, []byte("-")) {
		p.write(" ")
	}
	p.write("-->")
	return nil
}

// Start opens an element.
func (p *Encoder) Start(t goxml.StartElement) error {
	if t.Name.Local == "" {
		return errors.New("xml: start tag with no name")
	}
	p.pay.Charge(64)
	p.open = append(p.open, t.Name)
	p.declared = append(p.declared, "")
	p.line(1)
	p.write("<", t.Name.Local)
	if t.Name.Space != "" {
		p.write(` xmlns="`)
		p.text([]byte(t.Name.Space), true)
		p.write(`"`)
	}
	for _, a := range t.Attr {
		if a.Name.Local == "" {
			continue
		}
		p.write(" ")
		if a.Name.Space != "" {
			p.write(p.prefixOf(a.Name.Space), ":")
		}
		p.write(a.Name.Local, `="`)
		p.text([]byte(a.Value), true)
		p.write(`"`)
	}
	p.write(">")
	return nil
}

// End closes the element that was opened last.
func (p *Encoder) End(name goxml.Name) error {
	if name.Local == "" {
		return errors.New("xml: end tag with no name")
	}
	top, ok := p.Top()
	switch {
	case !ok || top.Local == "":
		return fmt.Errorf("xml: end tag </%s> without start tag", name.Local)
	case top.Local != name.Local:
		return fmt.Errorf("xml: end tag </%s> does not match start tag <%s>", name.Local, top.Local)
	case top != name:
		return fmt.Errorf("xml: end tag </%s> in namespace %s does not match start tag <%s> in namespace %s", name.Local, name.Space, top.Local, top.Space)
	}
	p.open = p.open[:len(p.open)-1]
	p.line(-1)
	p.write("</", name.Local, ">")
	p.undeclare()
	return nil
}

// Top is the element that was opened last.
func (p *Encoder) Top() (goxml.Name, bool) {
	if len(p.open) == 0 {
		return goxml.Name{}, false
	}
	return p.open[len(p.open)-1], true
}

// Mark begins what a method of a value writes: it must not close what it did not open.
func (p *Encoder) Mark() int {
	p.open = append(p.open, goxml.Name{})
	return len(p.open)
}

// Unmark ends it, and gives the element that it did not close.
func (p *Encoder) Unmark(mark int) (open string) {
	if len(p.open) > mark {
		return p.open[len(p.open)-1].Local
	}
	p.open = p.open[:mark-1]
	return ""
}

// line begins a line, if there are lines. A change of depth comes before it at an end,
// and after it at a start.
func (p *Encoder) line(change int) {
	if p.prefix == "" && p.indent == "" {
		return
	}
	if change < 0 {
		p.depth--
		empty := p.inside
		p.inside = false
		if empty {
			return
		}
	}
	if p.begun {
		p.write("\n")
	}
	p.begun = true
	p.write(p.prefix)
	for range p.depth {
		p.write(p.indent)
	}
	if change > 0 {
		p.depth++
		p.inside = true
	}
}

// prefixOf is the prefix of a name space in attributes, declared if it is new.
func (p *Encoder) prefixOf(url string) string {
	if prefix := p.prefixes[url]; prefix != "" {
		return prefix
	}
	if url == spaceURL {
		return "xml"
	}
	trimmed := strings.TrimRight(url, "/")
	prefix := trimmed[strings.LastIndexByte(trimmed, '/')+1:]
	if prefix == "" || strings.Contains(prefix, ":") || p.likeGo(goxml.ProcInst{Target: prefix}) != nil {
		prefix = "_"
	}
	if len(prefix) >= 3 && strings.EqualFold(prefix[:3], "xml") {
		prefix = "_" + prefix
	}
	if p.urls[prefix] != "" {
		for p.seq++; ; p.seq++ {
			if id := prefix + "_" + strconv.Itoa(p.seq); p.urls[id] == "" {
				prefix = id
				break
			}
		}
	}
	p.prefixes[url], p.urls[prefix] = prefix, url
	p.write("xmlns:", prefix, `="`)
	p.text([]byte(url), true)
	p.write(`" `)
	p.declared = append(p.declared, prefix)
	return prefix
}

// undeclare forgets the prefixes of the last element.
func (p *Encoder) undeclare() {
	for n := len(p.declared); n > 0; n = len(p.declared) {
		prefix := p.declared[n-1]
		p.declared = p.declared[:n-1]
		if prefix == "" {
			return
		}
		delete(p.prefixes, p.urls[prefix])
		delete(p.urls, prefix)
	}
}
