package builtins

import (
	"encoding/binary"
	"io"
)

// byteOrder is what Go's types of byte orders have in common.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// The types of the byte orders are not exported by Go, so these stand for them.
type (
	bigEndian    struct{ byteOrder }
	littleEndian struct{ byteOrder }
	nativeEndian struct{ byteOrder }
)

var (
	binaryBig    = bigEndian{binary.BigEndian}
	binaryLittle = littleEndian{binary.LittleEndian}
	binaryNative = nativeEndian{binary.NativeEndian}
)

func binaryWrite(e *Env) func(io.Writer, binary.ByteOrder, any) error {
	return func(w io.Writer, order binary.ByteOrder, data any) error {
		e.payBinary(data)
		return binary.Write(e.writer(w), order, data)
	}
}

func binaryAppend(e *Env) func([]byte, binary.ByteOrder, any) ([]byte, error) {
	return func(b []byte, order binary.ByteOrder, data any) ([]byte, error) {
		e.payBinary(data)
		return binary.Append(b, order, data)
	}
}

func binaryRead(e *Env) func(io.Reader, binary.ByteOrder, any) error {
	return func(r io.Reader, order binary.ByteOrder, data any) error {
		e.payBinary(data)
		return binary.Read(e.reader(r), order, data)
	}
}

// payBinary charges for the bytes that data has, and for the time that reflection
// takes.
func (e *Env) payBinary(data any) {
	n := int64(binary.Size(data))
	e.charge(2 * n)
	e.work(n)
}
