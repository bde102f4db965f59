package network

import (
	"errors"
	"io"
)

// Call is the name of the call of the host that asks with an Op. An Answer is the answer.
const Call = "request"

// part is how many bytes of a body are in one message.
const part = 32 << 10

// An Op says what is asked about a request. The worker numbers its requests.
type Op struct {
	Op   string  `cbor:"1,keyasint"`
	ID   uint64  `cbor:"2,keyasint"`
	Head *Header `cbor:"3,keyasint,omitempty"` // of "send"
	Data []byte  `cbor:"4,keyasint,omitempty"` // of the request's body
	More bool    `cbor:"5,keyasint,omitempty"` // there are parts of the body after Data
	Fail bool    `cbor:"6,keyasint,omitempty"` // the rest of the body cannot be read
	N    int     `cbor:"7,keyasint,omitempty"` // of "read": how many bytes are wanted
	At   string  `cbor:"8,keyasint,omitempty"` // of "send": the place in the script, if somebody wants to know it
}

// The operations. "send" is answered by the response's header if no More parts come, "wait" else, with the first part of the
// response's body if it is there; "body" by whether further parts are wanted; "read" by a part of the response's body; "close" ends a request, wherever it is.
const (
	opSend  = "send"
	opBody  = "body"
	opWait  = "wait"
	opRead  = "read"
	opClose = "close"
)

// A Header is what of a request, or of a response, is sent without its body.
type Header struct {
	Method   string   `cbor:"1,keyasint,omitempty"`
	URL      string   `cbor:"2,keyasint,omitempty"`
	Host     string   `cbor:"3,keyasint,omitempty"`
	Header   Fields   `cbor:"4,keyasint,omitempty"`
	Length   int64    `cbor:"5,keyasint,omitempty"`
	Close    bool     `cbor:"6,keyasint,omitempty"`
	Status   string   `cbor:"7,keyasint,omitempty"`
	Code     int      `cbor:"8,keyasint,omitempty"`
	Proto    string   `cbor:"9,keyasint,omitempty"`
	Encoding []string `cbor:"10,keyasint,omitempty"`
	Trailer  Fields   `cbor:"11,keyasint,omitempty"`
	Raw      bool     `cbor:"12,keyasint,omitempty"` // Uncompressed
	NoBody   bool     `cbor:"13,keyasint,omitempty"`
	Secrets  []string `cbor:"14,keyasint,omitempty"` // names of those that the request is to be sent with
	Foreign  bool     `cbor:"15,keyasint,omitempty"` // the request follows a redirect from another host
}

// size is about how many bytes of memory h takes in the host.
func (h *Header) size() int {
	n := len(h.Method) + len(h.URL) + len(h.Host) + len(h.Header) + fieldSize*h.Header.count()
	for _, name := range h.Secrets {
		n += fieldSize + len(name)
	}
	return n
}

// An Answer is what became of an Op.
type Answer struct {
	Head    *Header `cbor:"1,keyasint,omitempty"`
	Data    []byte  `cbor:"2,keyasint,omitempty"`
	Wants   bool    `cbor:"3,keyasint,omitempty"` // further parts of the request's body
	End     bool    `cbor:"4,keyasint,omitempty"` // of the response's body
	Trailer Fields  `cbor:"5,keyasint,omitempty"` // with End
	Err     *Error  `cbor:"6,keyasint,omitempty"`
}

// An Error is one of the gate's, or of the network.
type Error struct {
	Text string `cbor:"1,keyasint"`
	Time bool   `cbor:"2,keyasint,omitempty"` // its method Timeout says so
}

func (e *Error) Error() string { return e.Text }

// Timeout reports that a time was over.
func (e *Error) Timeout() bool { return e.Time }

// sentError is err for the worker.
func sentError(err error) *Error {
	timed, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return &Error{err.Error(), ok && timed.Timeout()}
}

// err is the error that e stands for. Those that scripts compare are themselves.
func (e *Error) err() error {
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF} {
		if e.Text == known.Error() {
			return known
		}
	}
	return e
}
