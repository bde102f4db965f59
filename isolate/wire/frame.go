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
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
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
	last    Kind         // of the last frame that was sent whole

	ahead  *bufio.Reader // a small frame is read in one go
	in     []byte        // kept between frames, as long as it is small
	within atomic.Bool   // a frame, of which not all has been read

	sends    *posture.Frames                                    // that bound what is sent, nil for MaxFrame
	receives func(kind Kind, name string) (most int, hold bool) // nil for MaxFrame and all
}

// NewConn speaks over rw. It does not close it.
func NewConn(rw io.ReadWriter) *Conn { return &Conn{rw: rw, ahead: bufio.NewReader(rw)} }

// Bound bounds what is received, by what a frame says first: to so many bytes, and whether they are to be
// held. One that is not is read to its end and thrown away, but for a tiny one; its message has no Body, and
// its size as Skipped. It is called before the first Receive.
func (c *Conn) Bound(receives func(kind Kind, name string) (most int, hold bool)) {
	c.receives = receives
}

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
	n, most := c.out.Len()-header, MaxFrame
	if c.sends != nil {
		most = Most(*c.sends, m.Kind, m.Name)
	}
	if n > most {
		c.out = bytes.Buffer{}
		return fmt.Errorf("%w: %d bytes; a frame has at most %d", ErrTooLarge, n, most)
	}
	binary.BigEndian.PutUint32(c.out.Bytes(), uint32(n))
	_, err := c.rw.Write(c.out.Bytes())
	if err == nil {
		c.last = m.Kind
	}
	if c.out.Cap() > step {
		c.out = bytes.Buffer{}
	}
	return err
}

// Receive returns the next message. It is io.EOF where the other end has closed between
// two frames, io.ErrUnexpectedEOF within one, and matches ErrProtocol for what is
// no message. After an error the Conn is of no more use.
func (c *Conn) Receive() (*Message, error) {
	if _, err := c.ahead.Peek(1); err != nil {
		return nil, err
	}
	c.within.Store(true)
	defer c.within.Store(false)
	var head [header]byte
	if _, err := io.ReadFull(c.ahead, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n == 0 || n > MaxFrame {
		return nil, fmt.Errorf("%w: a frame of %d bytes", ErrProtocol, n)
	}
	if c.receives != nil && n > tiny {
		if m, err := c.weigh(int(n)); m != nil || err != nil {
			return m, err
		}
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
	if c.receives != nil && n > tiny { // it may say otherwise than it began
		_, err = c.bound(int(n), m.Kind, m.Name)
	}
	return m, err
}

// Last is the kind of the last frame that was sent whole; 0 if there was none.
func (c *Conn) Last() Kind {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.last
}

// Within reports that the other end has sent a part of a frame, and not yet the rest.
func (c *Conn) Within() bool { return c.within.Load() }

// bound is whether a frame of n bytes is to be held, and an error if it is too large.
func (c *Conn) bound(n int, kind Kind, name string) (hold bool, err error) {
	most, hold := c.receives(kind, name)
	if n > most {
		return false, fmt.Errorf("%w: a frame of kind %d with %d bytes, where %d are the most", ErrProtocol, kind, n, most)
	}
	return hold, nil
}

// weigh looks at the beginning of a frame of n bytes. If the frame is not to be held it is skipped: that is
// the message.
func (c *Conn) weigh(n int) (*Message, error) {
	head, err := c.ahead.Peek(min(n, peekHead))
	if err != nil {
		return nil, torn(err)
	}
	kind, name := headOf(head)
	if hold, err := c.bound(n, kind, name); hold || err != nil {
		return nil, err
	}
	if _, err := c.ahead.Discard(n); err != nil {
		return nil, torn(err)
	}
	return &Message{Kind: kind, Skipped: n}, nil
}

// torn is the error of a frame that has begun.
func torn(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// body reads n bytes. Memory follows what has come, not what was announced.
func (c *Conn) body(n int) ([]byte, error) {
	buf := c.in[:0]
	for len(buf) < n {
		part := min(n-len(buf), step)
		if cap(buf) < len(buf)+part {
			buf = slices.Grow(buf, min(n-len(buf), max(part, len(buf))))
		}
		at := len(buf)
		buf = buf[:at+part]
		if _, err := io.ReadFull(c.ahead, buf[at:]); err != nil {
			return nil, torn(err)
		}
	}
	if cap(buf) <= step {
		c.in = buf
	}
	return buf, nil
}
