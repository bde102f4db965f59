package broker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// version is that of the protocol, in each line of a host.
const version = 1

// longestLine is how many bytes of a line Serve reads, and the most that Options.MaxLine may be.
const longestLine = 16 << 20

// The kinds of question.
const (
	kindDecide = "decide"
	kindAsk    = "ask"
	kindCancel = "cancel"
)

// A question is a line of a host.
type question struct {
	Version  int              `json:"v"`
	ID       int64            `json:"id"`
	Kind     string           `json:"kind"`
	Call     *decide.Call     `json:"call,omitempty"`
	Requests []decide.Request `json:"requests,omitempty"`
}

// An answer is a line of a broker: one of the last three is there.
type answer struct {
	ID      int64           `json:"id"`
	Ruling  *decide.Ruling  `json:"ruling,omitempty"`
	Answers []decide.Answer `json:"answers,omitzero"`
	Error   string          `json:"error,omitempty"`
}

// encode is v as a line. Arguments stay as they are, to the byte, since their hash is known.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// decode reads a line into v. Keys that v does not have are errors.
func decode(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {
		return errors.New("something follows the first value")
	}
	return nil
}

// decodeAnswer reads the line of a broker.
func decodeAnswer(line []byte) (a answer, err error) {
	if err := decode(line, &a); err != nil {
		return a, err
	}
	if err := checkKeys(json.NewDecoder(bytes.NewReader(line))); err != nil {
		return a, err
	}
	n := 0
	for _, there := range []bool{a.Ruling != nil, a.Answers != nil, a.Error != ""} {
		if there {
			n++
		}
	}
	if n != 1 {
		return a, fmt.Errorf("the answer has %d of ruling, answers and error; want one", n)
	}
	return a, nil
}

// checkKeys refuses keys that package json would take for others, since it ignores case, and a second value for a key, which
// would replace the first. The value of d is known to be no deeper than an answer.
func checkKeys(d *json.Decoder) error {
	t, err := d.Token()
	begin, ok := t.(json.Delim)
	if err != nil || !ok {
		return err
	}
	seen := map[string]bool{}
	for d.More() {
		if begin == '{' {
			t, err := d.Token()
			if err != nil {
				return err
			}
			key := t.(string)
			if seen[key] || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" {
				return fmt.Errorf("key %q is unknown, or there twice", key)
			}
			seen[key] = true
		}
		if err := checkKeys(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// readLine is the next line of r, which is valid until the next call. It is an error if it is longer than maximal bytes or has
// no end; io.EOF is where the last line has ended.
func readLine(r *bufio.Reader, maximal int) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line = bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) && len(line) <= maximal {
			var more []byte
			more, err = r.ReadSlice('\n')
			line = append(line, more...)
		}
	}
	switch {
	case len(line) > maximal:
		return nil, fmt.Errorf("a line of more than %d bytes", maximal)
	case err == io.EOF && len(line) > 0:
		return nil, io.ErrUnexpectedEOF
	}
	return line, err
}
