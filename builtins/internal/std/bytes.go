package std

import (
	"bytes"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimstrings "github.com/sandtrap-go/sandtrap/builtins/internal/shim/strings"
)

var stdBytes = rows.Package{
	Path:   "bytes",
	Engine: "*=formats",
	Bounded: "Buffer.Available Buffer.AvailableBuffer Buffer.Bytes Buffer.Cap Buffer.Len Buffer.Next Buffer.Peek Buffer.Read Buffer.ReadByte Buffer.ReadRune Buffer.Reset Buffer.Truncate " +
		"Buffer.UnreadByte Buffer.UnreadRune Reader.Len Reader.Read Reader.ReadAt Reader.ReadByte Reader.ReadRune Reader.Reset Reader.Seek Reader.Size Reader.UnreadByte Reader.UnreadRune " +
		"Compare Contains ContainsRune Cut CutPrefix CutSuffix Equal FieldsFuncSeq FieldsSeq HasPrefix HasSuffix Index IndexByte IndexRune LastIndex LastIndexByte Lines NewBuffer " +
		"NewReader SplitAfterSeq SplitSeq TrimPrefix TrimSuffix",
	Prints: "*",
	Members: []rows.Member{
		{Name: "Buffer", Value: (*bytes.Buffer)(nil), With: "Available AvailableBuffer Bytes Cap Len Next Peek Read ReadByte ReadRune Reset Truncate UnreadByte UnreadRune"},
		{Name: "Buffer.Grow", Value: shimstrings.BufferGrow, Why: "grows a buffer"},
		{Name: "Buffer.ReadBytes", Value: shimstrings.BufferReadBytes, Why: "its result may be as large as the buffer"},
		{Name: "Buffer.ReadFrom", Value: shimstrings.BufferReadFrom, Why: "grows a buffer"},
		{Name: "Buffer.ReadString", Value: shimstrings.BufferReadString, Why: "its result may be as large as the buffer"},
		{Name: "Buffer.String", Value: shimstrings.BufferString, Why: "its result is as large as the buffer"},
		{Name: "Buffer.Write", Value: shimstrings.BufferWrite, Why: "grows a buffer"},
		{Name: "Buffer.WriteByte", Value: shimstrings.BufferWriteByte, Why: "grows a buffer"},
		{Name: "Buffer.WriteRune", Value: shimstrings.BufferWriteRune, Why: "grows a buffer"},
		{Name: "Buffer.WriteString", Value: shimstrings.BufferWriteString, Why: "grows a buffer"},
		{Name: "Buffer.WriteTo", Value: shimstrings.BufferWriteTo, Why: "grows a buffer"},
		{Name: "Reader", Value: (*bytes.Reader)(nil), With: "Len Read ReadAt ReadByte ReadRune Reset Seek Size UnreadByte UnreadRune"},
		{Name: "Reader.WriteTo", Value: shimstrings.BytesReaderWriteTo},

		{Name: "Clone", Value: shimstrings.BytesClone, Why: "its result is as large as what it is given"},
		{Name: "Compare", Value: bytes.Compare},
		{Name: "Contains", Value: bytes.Contains},
		{Name: "ContainsAny", Value: shimstrings.BytesContainsAny, Why: "takes the length of the text times that of the set"},
		{Name: "ContainsFunc", Value: shim.SlowFirst(12, bytes.ContainsFunc), Why: "takes far longer than its text is"},
		{Name: "ContainsRune", Value: bytes.ContainsRune},
		{Name: "Count", Value: shim.SlowFirst(6, bytes.Count), Why: "takes far longer than its text is"},
		{Name: "Cut", Value: bytes.Cut},
		{Name: "CutPrefix", Value: bytes.CutPrefix},
		{Name: "CutSuffix", Value: bytes.CutSuffix},
		{Name: "Equal", Value: bytes.Equal},
		{Name: "EqualFold", Value: shim.SlowFirst(10, bytes.EqualFold), Why: "takes far longer than its text is"},
		{Name: "Fields", Value: shimstrings.BytesFields, Why: "its result can be far larger than what it is given"},
		{Name: "FieldsFunc", Value: shimstrings.BytesFieldsFunc, Why: "its result can be far larger than what it is given"},
		{Name: "FieldsFuncSeq", Value: bytes.FieldsFuncSeq},
		{Name: "FieldsSeq", Value: bytes.FieldsSeq},
		{Name: "HasPrefix", Value: bytes.HasPrefix},
		{Name: "HasSuffix", Value: bytes.HasSuffix},
		{Name: "Index", Value: bytes.Index},
		{Name: "IndexAny", Value: shimstrings.BytesIndexAny, Why: "takes the length of the text times that of the set"},
		{Name: "IndexByte", Value: bytes.IndexByte},
		{Name: "IndexFunc", Value: shim.SlowFirst(12, bytes.IndexFunc), Why: "takes far longer than its text is"},
		{Name: "IndexRune", Value: bytes.IndexRune},
		{Name: "Join", Value: shimstrings.BytesJoin, Why: "its result can be far larger than what it is given"},
		{Name: "LastIndex", Value: bytes.LastIndex},
		{Name: "LastIndexAny", Value: shimstrings.BytesLastIndexAny, Why: "takes the length of the text times that of the set"},
		{Name: "LastIndexByte", Value: bytes.LastIndexByte},
		{Name: "LastIndexFunc", Value: shim.SlowFirst(12, bytes.LastIndexFunc), Why: "takes far longer than its text is"},
		{Name: "Lines", Value: bytes.Lines},
		{Name: "Map", Value: shim.SlowLast(40, bytes.Map), Why: "takes far longer than its text is"},
		{Name: "NewBuffer", Value: bytes.NewBuffer},
		{Name: "NewBufferString", Value: shimstrings.BytesNewBufferString, Why: "copies its text"},
		{Name: "NewReader", Value: bytes.NewReader},
		{Name: "Repeat", Value: shimstrings.BytesRepeat, Why: "its result can be far larger than what it is given"},
		{Name: "Replace", Value: shimstrings.BytesReplace, Why: "its result can be far larger than what it is given"},
		{Name: "ReplaceAll", Value: shimstrings.BytesReplaceAll, Why: "its result can be far larger than what it is given"},
		{Name: "Runes", Value: shimstrings.BytesRunes, Why: "its result can be far larger than what it is given"},
		{Name: "Split", Value: shimstrings.BytesSplit, Why: "its result can be far larger than what it is given"},
		{Name: "SplitAfter", Value: shimstrings.BytesSplitAfter, Why: "its result can be far larger than what it is given"},
		{Name: "SplitAfterN", Value: shimstrings.BytesSplitAfterN, Why: "its result can be far larger than what it is given"},
		{Name: "SplitAfterSeq", Value: bytes.SplitAfterSeq},
		{Name: "SplitN", Value: shimstrings.BytesSplitN, Why: "its result can be far larger than what it is given"},
		{Name: "SplitSeq", Value: bytes.SplitSeq},
		{Name: "Title", Value: shim.Slow(40, bytes.Title), Why: "takes far longer than its text is"},
		{Name: "ToLower", Value: shim.Slow(35, bytes.ToLower), Why: "takes far longer than its text is"},
		{Name: "ToLowerSpecial", Value: shim.SlowLast(40, bytes.ToLowerSpecial), Why: "takes far longer than its text is"},
		{Name: "ToTitle", Value: shim.Slow(40, bytes.ToTitle), Why: "takes far longer than its text is"},
		{Name: "ToTitleSpecial", Value: shim.SlowLast(40, bytes.ToTitleSpecial), Why: "takes far longer than its text is"},
		{Name: "ToUpper", Value: shim.Slow(35, bytes.ToUpper), Why: "takes far longer than its text is"},
		{Name: "ToUpperSpecial", Value: shim.SlowLast(40, bytes.ToUpperSpecial), Why: "takes far longer than its text is"},
		{Name: "ToValidUTF8", Value: shimstrings.BytesToValidUTF8, Why: "its result can be far larger than what it is given"},
		{Name: "Trim", Value: shimstrings.BytesTrim, Why: "takes the length of the text times that of the set"},
		{Name: "TrimFunc", Value: shim.SlowFirst(12, bytes.TrimFunc), Why: "takes far longer than its text is"},
		{Name: "TrimLeft", Value: shimstrings.BytesTrimLeft, Why: "takes the length of the text times that of the set"},
		{Name: "TrimLeftFunc", Value: shim.SlowFirst(12, bytes.TrimLeftFunc), Why: "takes far longer than its text is"},
		{Name: "TrimPrefix", Value: bytes.TrimPrefix},
		{Name: "TrimRight", Value: shimstrings.BytesTrimRight, Why: "takes the length of the text times that of the set"},
		{Name: "TrimRightFunc", Value: shim.SlowFirst(12, bytes.TrimRightFunc), Why: "takes far longer than its text is"},
		{Name: "TrimSpace", Value: shim.Slow(1, bytes.TrimSpace), Why: "takes the length of the text"},
		{Name: "TrimSuffix", Value: bytes.TrimSuffix},

		{Name: "ErrTooLarge", Value: &bytes.ErrTooLarge},

		{Name: "MinRead", Value: rows.Literal("512")},
	},
}
