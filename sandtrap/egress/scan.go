package egress

import (
	"io"
	"net/http"
	"slices"
	"strings"
)

// text is s without secrets.
func (s *secrets) text(text string) string {
	if s == nil {
		return text
	}
	clean, _ := s.marks.replace(text)
	return clean
}

// replace replaces all secrets in a whole text, and names the last one.
func (m *marks) replace(text string) (clean, name string) {
	var out []byte
	rest := []byte(text)
	for {
		from, to, found := m.find(rest, false)
		if found == "" {
			break
		}
		out, rest, name = append(append(out, rest[:from]...), redacted...), rest[to:], found
	}
	if name == "" {
		return text, ""
	}
	return string(append(out, rest...)), name
}

// scan removes secrets from a response, and from its body when it is read.
func (x *exchange) scan(resp *http.Response, body *receivedBody) {
	all := x.run.gate.secrets
	if all == nil {
		return
	}
	resp.Status = x.clean(resp.Status)
	x.scanHeader(resp.Header)
	x.scanHeader(resp.Trailer) // names that are announced
	if body.wire != http.NoBody {
		body.from = &scanned{x: x, from: body.from}
		resp.Header.Del("Content-Length")
		resp.ContentLength = -1
	}
}

// scanTrailer removes secrets from what came behind the body.
func (x *exchange) scanTrailer(resp *http.Response) {
	if x.run.gate.secrets != nil {
		x.scanHeader(resp.Trailer)
	}
}

func (x *exchange) scanHeader(h http.Header) {
	for name, values := range h {
		if secret := x.run.gate.secrets.inName(name); secret != "" {
			x.redacted(secret)
			delete(h, name)
			continue
		}
		for i, v := range values {
			values[i] = x.clean(v)
		}
	}
}

// clean is text without secrets.
func (x *exchange) clean(text string) string {
	clean, name := x.run.gate.secrets.marks.replace(text)
	if name != "" {
		x.redacted(name)
	}
	return clean
}

// redacted tells the host that a secret was replaced, once for each.
func (x *exchange) redacted(name string) {
	if !slices.Contains(x.replaced, name) {
		x.replaced = append(x.replaced, name)
		x.tell(Event{Kind: KindRedacted, Secret: name})
	}
}

// inName is the secret that the name of a header has, whose letters are small or capital by chance.
func (s *secrets) inName(name string) string {
	lower := strings.ToLower(name)
	for _, one := range s.marks.list {
		if strings.Contains(lower, strings.ToLower(one.text)) {
			return one.name
		}
	}
	return ""
}

// A scanned is a body without secrets.
type scanned struct {
	x    *exchange
	from io.Reader
	raw  []byte // was read, and may begin a secret
	out  []byte // has none
	err  error  // of from
}

// scanSize is how many bytes are read at once.
const scanSize = 16 << 10

func (s *scanned) Read(p []byte) (int, error) {
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.more()
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// more reads some bytes, and takes those to out that are known to begin no secret.
func (s *scanned) more() {
	had := len(s.raw)
	s.raw = append(s.raw, make([]byte, scanSize)...)
	n, err := s.from.Read(s.raw[had:])
	s.raw, s.err = s.raw[:had+n], err
	s.out = s.out[:0]
	for {
		from, to, name := s.x.run.gate.secrets.marks.find(s.raw, err == nil)
		s.out = append(s.out, s.raw[:from]...)
		if name == "" {
			s.raw = append(s.raw[:0], s.raw[from:]...)
			return
		}
		s.x.redacted(name)
		s.out = append(s.out, redacted...)
		s.raw = s.raw[to:]
	}
}
