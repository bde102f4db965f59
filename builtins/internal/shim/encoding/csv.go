package encoding

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

const (
	csvField      = 48 // an empty field: its string, index and position
	csvRecord     = 64
	csvLine       = 1 << 20
	csvFieldTicks = 15
	CsvTick       = 4 // bytes that are read or written in a tick
	csvQuote      = 3 // ticks of writing a quote

	// What reading takes of a line that is there, in nanoseconds, and then some.
	CsvByte       = 4
	CsvSpace      = 12 // more for each byte, where spaces before fields are left out
	CsvReadsQuote = 20 // more for each
)

func CsvNewReader(e *shim.Env) func(io.Reader) *csv.Reader {
	return func(r io.Reader) *csv.Reader {
		e.Charge(4096)
		src := &csvSource{e: e, r: r}
		src.csv = csv.NewReader(src)
		return src.csv
	}
}

// csvSource reads for a csv.Reader: it charges for the fields that what it read is
// going to become, and lets a stop through.
type csvSource struct {
	e   *shim.Env
	r   io.Reader
	csv *csv.Reader

	// A record is made when its line has been read whole, all at once: so what its fields
	// will take is asked for as one sum, each time it has doubled.
	line, asked int64

	// So is what the line takes itself.
	long, moved int64

	open, quotes int64 // bytes and quotes of the line that has not ended
}

func (s *csvSource) Read(p []byte) (int, error) {
	s.e.Check()
	s.e.Enter()
	defer s.e.Leave()
	n, err := s.r.Read(p)
	text := p[:max(0, min(n, len(p)))]
	comma := utf8.AppendRune(nil, s.csv.Comma)
	fields := csvField * int64(bytes.Count(text, comma))
	s.e.Charge(int64(len(text)) + fields + csvRecord*int64(bytes.Count(text, []byte("\n"))))
	if last := bytes.LastIndexByte(text, '\n'); last >= 0 {
		fields, s.line, s.asked = csvField*int64(bytes.Count(text[last:], comma)), 0, 0
	}
	if s.line += fields; s.line > 2*s.asked+csvLine {
		s.asked = s.line
		s.e.Charge(s.line)
		s.e.Work(s.line / csvField * csvFieldTicks)
	}
	s.e.Work(int64(len(text)) / CsvTick)
	s.grown(text)
	s.ended(text, err != nil)
	return n, err
}

// grown asks for the time in which a long line moves to where there is more room for it.
func (s *csvSource) grown(text []byte) {
	if last := bytes.LastIndexByte(text, '\n'); last >= 0 && bytes.IndexByte(text, '"') < 0 {
		s.long, s.moved = 0, 0
		text = text[last:]
	}
	if s.long += int64(len(text)); s.long > 2*s.moved+csvLine {
		s.moved = s.long
		s.e.Work(4 * s.long / shim.TickTime)
	}
}

// ended asks for the time in which a long line becomes fields, when it has been read
// whole: that comes next, in one go.
func (s *csvSource) ended(text []byte, last bool) {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		s.opened(text[:end])
		s.payLine()
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	s.opened(text)
	if last {
		s.payLine()
	}
}

func (s *csvSource) opened(text []byte) {
	s.open += int64(len(text))
	s.quotes += int64(bytes.Count(text, []byte(`"`)))
}

func (s *csvSource) payLine() {
	if s.open >= shim.LargeText {
		took := CsvByte*s.open + CsvReadsQuote*s.quotes
		if s.csv.TrimLeadingSpace {
			took += CsvSpace * s.open
		}
		s.e.Work(took / shim.TickTime)
	}
	s.open, s.quotes = 0, 0
}

func CsvNewWriter(e *shim.Env) func(io.Writer) *csv.Writer {
	return func(w io.Writer) *csv.Writer {
		e.Charge(4096)
		return csv.NewWriter(e.Writer(w))
	}
}

func CsvWrite(e *shim.Env) func(*csv.Writer, []string) error {
	return func(w *csv.Writer, record []string) error {
		csvWork(e, record)
		return w.Write(record)
	}
}

func CsvWriteAll(e *shim.Env) func(*csv.Writer, [][]string) error {
	return func(w *csv.Writer, records [][]string) error {
		for _, record := range records {
			csvWork(e, record)
			if err := w.Write(record); err != nil {
				return err
			}
		}
		w.Flush()
		return w.Error()
	}
}

// csvWork asks field by field: a list may hold one long text again and again, and to look for quotes
// in it takes its time.
func csvWork(e *shim.Env, record []string) {
	e.Work(int64(len(record)))
	for _, field := range record {
		e.Work(int64(len(field)) / CsvTick)
		e.Work(csvQuote * int64(strings.Count(field, `"`)))
	}
}
