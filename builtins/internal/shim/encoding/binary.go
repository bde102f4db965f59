package encoding

import (
	"encoding/binary"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// byteOrder is what Go's types of byte orders have in common.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// The types of the byte orders are not exported by Go, so these stand for them.
type (
	BigEndian    struct{ byteOrder }
	LittleEndian struct{ byteOrder }
	NativeEndian struct{ byteOrder }
)

var (
	BinaryBig    = BigEndian{binary.BigEndian}
	BinaryLittle = LittleEndian{binary.LittleEndian}
	BinaryNative = NativeEndian{binary.NativeEndian}
)

func BinaryWrite(e *shim.Env) func(io.Writer, binary.ByteOrder, any) error {
	return func(w io.Writer, order binary.ByteOrder, data any) error {
		payBinary(e, data)
		return binary.Write(e.Writer(w), order, data)
	}
}

func BinaryAppend(e *shim.Env) func([]byte, binary.ByteOrder, any) ([]byte, error) {
	return func(b []byte, order binary.ByteOrder, data any) ([]byte, error) {
		payBinary(e, data)
		return binary.Append(b, order, data)
	}
}

func BinaryRead(e *shim.Env) func(io.Reader, binary.ByteOrder, any) error {
	return func(r io.Reader, order binary.ByteOrder, data any) error {
		payBinary(e, data)
		return binary.Read(e.Reader(r), order, data)
	}
}

// payBinary charges for the bytes that data has, and for the time that reflection
// takes.
func payBinary(e *shim.Env, data any) {
	n := int64(binary.Size(data))
	e.Charge(2 * n)
	e.Work(n)
}
