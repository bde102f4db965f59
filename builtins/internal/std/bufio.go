package std

import (
	"bufio"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimio "github.com/sandtrap-go/sandtrap/builtins/internal/shim/io"
)

var stdBufio = rows.Package{
	Path:   "bufio",
	Engine: "*=formats",
	Bounded: "ReadWriter.Available ReadWriter.AvailableBuffer ReadWriter.Discard ReadWriter.Flush ReadWriter.Peek ReadWriter.Read ReadWriter.ReadByte ReadWriter.ReadLine " +
		"ReadWriter.ReadRune ReadWriter.ReadSlice ReadWriter.UnreadByte ReadWriter.UnreadRune ReadWriter.Write ReadWriter.WriteByte " +
		"Reader.Buffered Reader.Discard Reader.Peek Reader.Read Reader.ReadByte Reader.ReadLine Reader.ReadRune Reader.ReadSlice " +
		"Reader.Size Reader.UnreadByte Reader.UnreadRune Scanner.Buffer Scanner.Bytes Scanner.Err Scanner.Scan Scanner.Split Scanner.Text Writer.Available Writer.AvailableBuffer " +
		"Writer.Buffered Writer.Flush Writer.Size Writer.Write Writer.WriteByte NewReadWriter ScanBytes ScanLines ScanRunes ScanWords",
	Members: []rows.Member{
		{Name: "ReadWriter", Value: (*bufio.ReadWriter)(nil), With: "Available AvailableBuffer Discard Flush Peek Read ReadByte ReadLine ReadRune ReadSlice Reader UnreadByte UnreadRune Write WriteByte Writer"},
		{Name: "ReadWriter.ReadFrom", Value: shimio.BufioReadWriterReadFrom},
		{Name: "ReadWriter.WriteTo", Value: shimio.BufioReadWriterWriteTo},
		{Name: "Reader", Value: (*bufio.Reader)(nil), With: "Buffered Discard Peek Read ReadByte ReadLine ReadRune ReadSlice Size UnreadByte UnreadRune"},
		{Name: "ReadWriter.ReadBytes", Value: shimio.BufioReadWriterReadBytes, Why: "without a buffer Go's has no end"},
		{Name: "ReadWriter.ReadString", Value: shimio.BufioReadWriterReadString, Why: "without a buffer Go's has no end"},
		{Name: "ReadWriter.WriteRune", Value: shimio.BufioReadWriterWriteRune, Why: "without a buffer Go's has no end"},
		{Name: "ReadWriter.WriteString", Value: shimio.BufioReadWriterWriteString, Why: "without a buffer Go's has no end"},
		{Name: "Reader.ReadBytes", Value: shimio.BufioReaderReadBytes, Why: "without a buffer Go's has no end"},
		{Name: "Reader.ReadString", Value: shimio.BufioReaderReadString, Why: "without a buffer Go's has no end"},
		{Name: "Writer.WriteRune", Value: shimio.BufioWriterWriteRune, Why: "without a buffer Go's has no end"},
		{Name: "Writer.WriteString", Value: shimio.BufioWriterWriteString, Why: "without a buffer Go's has no end"},
		{Name: "Reader.Reset", Value: shimio.BufioReaderReset},
		{Name: "Reader.WriteTo", Value: shimio.BufioReaderWriteTo},
		{Name: "Scanner", Value: (*bufio.Scanner)(nil), With: "Buffer Bytes Err Scan Split Text"},
		{Name: "SplitFunc", Value: (*bufio.SplitFunc)(nil)},
		{Name: "Writer", Value: (*bufio.Writer)(nil), With: "Available AvailableBuffer Buffered Flush Size Write WriteByte"},
		{Name: "Writer.ReadFrom", Value: shimio.BufioWriterReadFrom},
		{Name: "Writer.Reset", Value: shimio.BufioWriterReset},

		{Name: "NewReadWriter", Value: bufio.NewReadWriter},
		{Name: "NewReader", Value: shimio.BufioNewReader, Why: "charges for what is read"},
		{Name: "NewReaderSize", Value: shimio.BufioNewReaderSize, Why: "allocates the size asked for"},
		{Name: "NewScanner", Value: shimio.BufioNewScanner, Why: "charges for what is read"},
		{Name: "NewWriter", Value: shimio.BufioNewWriter, Why: "charges a buffer it writes to"},
		{Name: "NewWriterSize", Value: shimio.BufioNewWriterSize, Why: "allocates the size asked for"},
		{Name: "ScanBytes", Value: bufio.ScanBytes},
		{Name: "ScanLines", Value: bufio.ScanLines},
		{Name: "ScanRunes", Value: bufio.ScanRunes},
		{Name: "ScanWords", Value: bufio.ScanWords},

		{Name: "ErrAdvanceTooFar", Value: &bufio.ErrAdvanceTooFar},
		{Name: "ErrBadReadCount", Value: &bufio.ErrBadReadCount},
		{Name: "ErrBufferFull", Value: &bufio.ErrBufferFull},
		{Name: "ErrFinalToken", Value: &bufio.ErrFinalToken},
		{Name: "ErrInvalidUnreadByte", Value: &bufio.ErrInvalidUnreadByte},
		{Name: "ErrInvalidUnreadRune", Value: &bufio.ErrInvalidUnreadRune},
		{Name: "ErrNegativeAdvance", Value: &bufio.ErrNegativeAdvance},
		{Name: "ErrNegativeCount", Value: &bufio.ErrNegativeCount},
		{Name: "ErrTooLong", Value: &bufio.ErrTooLong},

		{Name: "MaxScanTokenSize", Value: rows.Literal("65536")},
	},
}
