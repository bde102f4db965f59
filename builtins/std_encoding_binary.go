package builtins

import "encoding/binary"

var stdEncodingBinary = Package{
	Path:    "encoding/binary",
	Bounded: "AppendUvarint AppendVarint Decode Encode PutUvarint PutVarint ReadUvarint ReadVarint Size Uvarint Varint",
	scan:    true,
	Members: []Member{
		{Name: "AppendByteOrder", Value: (*binary.AppendByteOrder)(nil)},
		{Name: "ByteOrder", Value: (*binary.ByteOrder)(nil)},
		{Name: "bigEndian", Value: (*bigEndian)(nil), With: "AppendUint16 AppendUint32 AppendUint64 GoString PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64"},
		{Name: "littleEndian", Value: (*littleEndian)(nil), With: "AppendUint16 AppendUint32 AppendUint64 GoString PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64"},
		{Name: "nativeEndian", Value: (*nativeEndian)(nil), With: "AppendUint16 AppendUint32 AppendUint64 PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64"},

		{Name: "Append", Value: binaryAppend, Why: "its result is larger than what it is given"},
		{Name: "AppendUvarint", Value: binary.AppendUvarint},
		{Name: "AppendVarint", Value: binary.AppendVarint},
		{Name: "Decode", Value: binary.Decode},
		{Name: "Encode", Value: binary.Encode},
		{Name: "PutUvarint", Value: binary.PutUvarint},
		{Name: "PutVarint", Value: binary.PutVarint},
		{Name: "Read", Value: binaryRead, Why: "charges for what is read"},
		{Name: "ReadUvarint", Value: binary.ReadUvarint},
		{Name: "ReadVarint", Value: binary.ReadVarint},
		{Name: "Size", Value: binary.Size},
		{Name: "Uvarint", Value: binary.Uvarint},
		{Name: "Varint", Value: binary.Varint},
		{Name: "Write", Value: binaryWrite, Why: "charges a buffer it writes to"},

		{Name: "BigEndian", Value: &binaryBig},
		{Name: "LittleEndian", Value: &binaryLittle},
		{Name: "NativeEndian", Value: &binaryNative},

		{Name: "MaxVarintLen16", Value: Literal("3")},
		{Name: "MaxVarintLen32", Value: Literal("5")},
		{Name: "MaxVarintLen64", Value: Literal("10")},
	},
}
