package builtins

import "encoding"

var stdEncoding = Package{
	Path: "encoding",
	Members: []Member{
		{Name: "BinaryAppender", Value: (*encoding.BinaryAppender)(nil)},
		{Name: "BinaryMarshaler", Value: (*encoding.BinaryMarshaler)(nil)},
		{Name: "BinaryUnmarshaler", Value: (*encoding.BinaryUnmarshaler)(nil)},
		{Name: "TextAppender", Value: (*encoding.TextAppender)(nil)},
		{Name: "TextMarshaler", Value: (*encoding.TextMarshaler)(nil)},
		{Name: "TextUnmarshaler", Value: (*encoding.TextUnmarshaler)(nil)},
	},
}
