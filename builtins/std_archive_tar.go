package builtins

import "archive/tar"

var stdArchiveTar = Package{
	Path:    "archive/tar",
	Bounded: "Format.String Header.FileInfo Reader.Read Writer.Close Writer.Flush Writer.Write",
	Members: []Member{
		{Name: "Format", Value: (*tar.Format)(nil), With: "String"},
		{Name: "Header", Value: (*tar.Header)(nil), With: "AccessTime ChangeTime Devmajor Devminor FileInfo Format Gid Gname Linkname ModTime Mode Name PAXRecords Size Typeflag Uid Uname Xattrs"},
		{Name: "Reader", Value: (*tar.Reader)(nil), With: "Read"},
		{Name: "Reader.Next", Value: tarNext, Why: "charges for headers"},
		{Name: "Writer", Value: (*tar.Writer)(nil), With: "Close Flush Write WriteHeader"},
		{Name: "Writer.WriteHeader", Value: tarWriteHeader, Why: "long names take long"},

		{Name: "NewReader", Value: tarNewReader, Why: "charges for headers"},
		{Name: "NewWriter", Value: tarNewWriter, Why: "charges a buffer it writes to"},

		{Name: "ErrFieldTooLong", Value: &tar.ErrFieldTooLong},
		{Name: "ErrHeader", Value: &tar.ErrHeader},
		{Name: "ErrInsecurePath", Value: &tar.ErrInsecurePath},
		{Name: "ErrWriteAfterClose", Value: &tar.ErrWriteAfterClose},
		{Name: "ErrWriteTooLong", Value: &tar.ErrWriteTooLong},

		{Name: "FormatGNU", Value: tar.FormatGNU},
		{Name: "FormatPAX", Value: tar.FormatPAX},
		{Name: "FormatUSTAR", Value: tar.FormatUSTAR},
		{Name: "FormatUnknown", Value: tar.FormatUnknown},
		{Name: "TypeBlock", Value: Literal("'4'")},
		{Name: "TypeChar", Value: Literal("'3'")},
		{Name: "TypeCont", Value: Literal("'7'")},
		{Name: "TypeDir", Value: Literal("'5'")},
		{Name: "TypeFifo", Value: Literal("'6'")},
		{Name: "TypeGNULongLink", Value: Literal("'K'")},
		{Name: "TypeGNULongName", Value: Literal("'L'")},
		{Name: "TypeGNUSparse", Value: Literal("'S'")},
		{Name: "TypeLink", Value: Literal("'1'")},
		{Name: "TypeReg", Value: Literal("'0'")},
		{Name: "TypeRegA", Value: Literal("'\\x00'")},
		{Name: "TypeSymlink", Value: Literal("'2'")},
		{Name: "TypeXGlobalHeader", Value: Literal("'g'")},
		{Name: "TypeXHeader", Value: Literal("'x'")},
	},
	Denied: []Denial{
		{Names: "FileInfoHeader FileInfoNames", Why: "looks for users of the host"},
		{Names: "Writer.AddFS", Why: "would copy without being counted", Instead: "tar.Writer.WriteHeader"},
	},
}
