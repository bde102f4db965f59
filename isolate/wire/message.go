package wire

import (
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// Version is that of the protocol. A worker of another version is refused.
const Version = 7

// A Kind says what a message is. The numbers are part of the protocol.
type Kind uint8

// The kinds, with who sends them.
const (
	Hello   Kind = 1 + iota // worker: Body is a Greeting
	Prepare                 // host: Body is a Profile
	Ready                   // worker: Body is a Report; it is locked down
	Failed                  // worker: Error says why it could not be
	Job                     // host: ID and Body
	Call                    // worker: ID, Job, Name and Body; the host answers with Return; nothing if another job runs, or none
	Return                  // host: ID of the call, Body or Error
	Stream                  // worker: ID of a job, Name and Body; nothing if another runs, or none
	Cancel                  // host: the job that runs is to end
	Outcome                 // worker: ID of the job, Body or Error
	Tell                    // host: ID of a job, Name and Body; nothing if another runs, or none
	Ask                     // host: ID of a call, Body; what waits for the call answers
	Answer                  // worker: ID of the call, Body or Error
)

// Names of the calls of a worker that runs scripts. Those of functions of the host start
// with CallFunc.
const (
	CallFile  = "file"  // FileOp, answered by FileResult
	CallStdin = "stdin" // StdinOp, answered by StdinResult
	CallPrint = "print" // PrintOp, answered by nothing once it is written
	CallAhead = "ahead" // PrintOp: output that comes before that of the Result
	CallLoad  = "load"  // likewise, of a session that was saved
	CallSave  = "save"  // bytes of a session that is being saved
	CallFunc  = "func." // and the name; see package carry
)

// A Message is what a frame holds. What Body means is between the two ends that use
// it; to this package it is bytes.
type Message struct {
	Kind  Kind   `cbor:"1,keyasint"`
	ID    uint64 `cbor:"2,keyasint,omitempty"`
	Name  string `cbor:"3,keyasint,omitempty"`
	Body  []byte `cbor:"4,keyasint,omitempty"`
	Error string `cbor:"5,keyasint,omitempty"`
	Took  int64  `cbor:"6,keyasint,omitempty"` // of Return: nanoseconds of the host for the call
	Job   uint64 `cbor:"7,keyasint,omitempty"` // of Call: the ID of the job that it is of

	Skipped int `cbor:"-"` // bytes of a frame that was not held; see Bound
}

// A Greeting is the first thing that a worker says.
type Greeting struct {
	Version int `cbor:"1,keyasint"`
}

// ErrProtocol is matched by errors about what the other end sent.
var ErrProtocol = errors.New("wire: protocol")

// Limits of what is decoded, above those of the size of a frame.
const (
	maxDepth  = 64
	maxItems  = 1 << 20
	maxString = 1 << 10 // of Name
)

var decoding = must(cbor.DecOptions{
	DupMapKey:         cbor.DupMapKeyEnforcedAPF,
	IndefLength:       cbor.IndefLengthForbidden,
	TagsMd:            cbor.TagsForbidden,
	ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
	MaxNestedLevels:   maxDepth,
	MaxArrayElements:  maxItems,
	MaxMapPairs:       maxItems,
	UTF8:              cbor.UTF8DecodeInvalid,
	SimpleValues:      must(cbor.NewSimpleValueRegistryFromDefaults(cbor.WithRejectedSimpleValue(null), cbor.WithRejectedSimpleValue(undefined))),
}.DecMode())

// No message has a null: what is not there is left out. A reader so never meets a nil element of a list
// of pointers, and the other end cannot say nothing where a value has to be.
const (
	null      cbor.SimpleValue = 22
	undefined cbor.SimpleValue = 23
)

var encoding = must(encodingOptions().UserBufferEncMode())

func encodingOptions() cbor.EncOptions {
	o := cbor.CoreDetEncOptions()
	o.NilContainers = cbor.NilContainerAsEmpty
	return o
}

func must[T any](mode T, err error) T {
	if err != nil {
		panic(err) // the options above are wrong: found by the first test
	}
	return mode
}

// Encode is v as CBOR.
func Encode(v any) ([]byte, error) { return encoding.Marshal(v) }

// Decode reads what Encode made, of another process, into v. The limits of depth and
// count hold, and that of maxExtra; there is no null, and no field that v does not have. An error matches ErrProtocol.
func Decode(data []byte, v any) (err error) {
	defer func() {
		if p := recover(); p != nil { // of the decoder: what made it panic is no message
			err = fmt.Errorf("%w: the decoder panicked", ErrProtocol)
		}
	}()
	if !fits(data, v) {
		return fmt.Errorf("%w: what it says takes more than %d bytes of memory above its own", ErrProtocol, maxExtra)
	}
	if err := decoding.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%w: %v", ErrProtocol, err)
	}
	return nil
}
