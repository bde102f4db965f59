package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// MaxFrame is how many bytes a frame may have. What is larger has to be sent in parts.
const MaxFrame = 64 << 20

// MaxBody is how many bytes of a body there is always room for.
const MaxBody = MaxFrame - 1<<10

const (
	header = 4       // bytes: the length of what follows, big endian
	step   = 1 << 20 // so much is taken at a time on the word of a header
)

// A Conn sends and receives messages over a stream of bytes. One goroutine may
// receive while any number send.
type Conn struct {
	rw io.ReadWriter

	sending sync.Mutex
	out     bytes.Buffer // kept between frames, as long as it is small

	ahead *bufio.Reader // a small frame is read in one go
	in    []byte        // kept between frames, as long as it is small
}

// NewConn speaks over rw. It does not close it.
func NewConn(rw io.ReadWriter) *Conn { return &Conn{rw: rw, ahead: bufio.NewReader(rw)} }

// ErrTooLarge is matched by the error of Send about a message that was not sent, because no
// frame holds it.
var ErrTooLarge = errors.New("wire: the message is too large")

// Send sends m, which others do not come in between.
func (c *Conn) Send(m *Message) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	c.out.Reset()
	c.out.Write(make([]byte, header))
	if err := encoding.MarshalToBuffer(m, &c.out); err != nil {
		return err
	}
	n := c.out.Len() - header
	if n > MaxFrame {
		c.out = bytes.Buffer{}
		return fmt.Errorf("%w: %d bytes; a frame has at most %d", ErrTooLarge, n, MaxFrame)
	}
	binary.BigEndian.PutUint32(c.out.Bytes(), uint32(n))
	_, err := c.rw.Write(c.out.Bytes())
	if c.out.Cap() > step {
		c.out = bytes.Buffer{}
	}
	return err
}

// Receive returns the next message. It is io.EOF where the other end has closed between
// two frames, io.ErrUnexpectedEOF within one, and matches ErrProtocol for what is
// no message. After an error the Conn is of no more use.
func (c *Conn) Receive() (*Message, error) {
	var head [header]byte
	if _, err := io.ReadFull(c.ahead, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n == 0 || n > MaxFrame {
		return nil, fmt.Errorf("%w: a frame of %d bytes", ErrProtocol, n)
	}
	body, err := c.body(int(n))
	if err != nil {
		return nil, err
	}
	m := new(Message)
	if err := Decode(body, m); err != nil {
		return nil, err
	}
	if len(m.Name) > maxString {
		return nil, fmt.Errorf("%w: a name of %d bytes", ErrProtocol, len(m.Name))
	}
	return m, nil
}

// body reads n bytes. Memory follows what has come, not what was announced.
func (c *Conn) body(n int) ([]byte, error) {
	buf := c.in[:0]
	for len(buf) < n {
		part := min(n-len(buf), step)
		buf = slices.Grow(buf, part)
		at := len(buf)
		buf = buf[:at+part]
		if _, err := io.ReadFull(c.ahead, buf[at:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	if cap(buf) <= step {
		c.in = buf
	}
	return buf, nil
}
