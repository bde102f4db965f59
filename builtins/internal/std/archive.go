package std

import (
	"archive/tar"
	"archive/zip"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimcompress "github.com/sandtrap-go/sandtrap/builtins/internal/shim/compress"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

var stdArchiveTar = rows.Package{
	Path:    "archive/tar",
	Bounded: "Format.String Header.FileInfo Reader.Read Writer.Close Writer.Flush Writer.Write",
	Members: []rows.Member{
		{Name: "Format", Value: (*tar.Format)(nil), With: "String"},
		{Name: "Header", Value: (*tar.Header)(nil), With: "AccessTime ChangeTime Devmajor Devminor FileInfo Format Gid Gname Linkname ModTime Mode Name PAXRecords Size Typeflag Uid Uname Xattrs"},
		{Name: "Reader", Value: (*tar.Reader)(nil), With: "Read"},
		{Name: "Reader.Next", Value: shimcompress.TarNext, Why: "charges for headers"},
		{Name: "Writer", Value: (*tar.Writer)(nil), With: "Close Flush Write WriteHeader"},
		{Name: "Writer.WriteHeader", Value: shimcompress.TarWriteHeader, Why: "long names take long"},

		{Name: "NewReader", Value: shimcompress.TarNewReader, Why: "charges for headers"},
		{Name: "NewWriter", Value: shimcompress.TarNewWriter, Why: "charges a buffer it writes to"},

		{Name: "ErrFieldTooLong", Value: &tar.ErrFieldTooLong},
		{Name: "ErrHeader", Value: &tar.ErrHeader},
		{Name: "ErrInsecurePath", Value: &tar.ErrInsecurePath},
		{Name: "ErrWriteAfterClose", Value: &tar.ErrWriteAfterClose},
		{Name: "ErrWriteTooLong", Value: &tar.ErrWriteTooLong},

		{Name: "FormatGNU", Value: tar.FormatGNU},
		{Name: "FormatPAX", Value: tar.FormatPAX},
		{Name: "FormatUSTAR", Value: tar.FormatUSTAR},
		{Name: "FormatUnknown", Value: tar.FormatUnknown},
		{Name: "TypeBlock", Value: rows.Literal("'4'")},
		{Name: "TypeChar", Value: rows.Literal("'3'")},
		{Name: "TypeCont", Value: rows.Literal("'7'")},
		{Name: "TypeDir", Value: rows.Literal("'5'")},
		{Name: "TypeFifo", Value: rows.Literal("'6'")},
		{Name: "TypeGNULongLink", Value: rows.Literal("'K'")},
		{Name: "TypeGNULongName", Value: rows.Literal("'L'")},
		{Name: "TypeGNUSparse", Value: rows.Literal("'S'")},
		{Name: "TypeLink", Value: rows.Literal("'1'")},
		{Name: "TypeReg", Value: rows.Literal("'0'")},
		{Name: "TypeRegA", Value: rows.Literal("'\\x00'")},
		{Name: "TypeSymlink", Value: rows.Literal("'2'")},
		{Name: "TypeXGlobalHeader", Value: rows.Literal("'g'")},
		{Name: "TypeXHeader", Value: rows.Literal("'x'")},
	},
	Denied: []rows.Denial{
		{Names: "FileInfoHeader FileInfoNames", Why: "looks for users of the host"},
		{Names: "Writer.AddFS", Why: "would copy without being counted", Instead: "tar.Writer.WriteHeader"},
	},
}

var stdArchiveZip = rows.Package{
	Path: "archive/zip",
	Bounded: "File.DataOffset File.FileInfo File.ModTime File.Mode File.Open File.OpenRaw File.SetModTime File.SetMode FileHeader.FileInfo FileHeader.ModTime FileHeader.Mode FileHeader.SetModTime " +
		"FileHeader.SetMode Reader.RegisterDecompressor Writer.Close Writer.Flush Writer.RegisterCompressor Writer.SetComment Writer.SetOffset openDir.Close openDir.Read openDir.ReadDir " +
		"openDir.Stat FileInfoHeader",
	Members: []rows.Member{
		{Name: "Compressor", Value: (*zip.Compressor)(nil)},
		{Name: "Decompressor", Value: (*zip.Decompressor)(nil)},
		{Name: "File", Value: (*zip.File)(nil), With: "DataOffset FileHeader FileInfo ModTime Mode Open OpenRaw SetModTime SetMode"},
		{Name: "FileHeader", Value: (*zip.FileHeader)(nil), With: "CRC32 Comment CompressedSize CompressedSize64 CreatorVersion ExternalAttrs Extra FileInfo Flags Method ModTime Mode Modified ModifiedDate ModifiedTime Name NonUTF8 ReaderVersion SetModTime SetMode UncompressedSize UncompressedSize64"},
		{Name: "Reader", Value: (*zip.Reader)(nil), With: "Comment File RegisterDecompressor"},
		{Name: "Reader.Open", Value: shimcompress.ZipReaderOpen, Why: "charges for a tree of directories, and asks for its time"},
		{Name: "Writer", Value: (*zip.Writer)(nil), With: "Close Flush RegisterCompressor SetComment SetOffset"},
		{Name: "Writer.Copy", Value: shimcompress.ZipCopy, Why: "charges for the entry"},
		{Name: "Writer.Create", Value: shimcompress.ZipCreate, Why: "charges for the entry"},
		{Name: "Writer.CreateHeader", Value: shimcompress.ZipCreateHeader, Why: "charges for the entry"},
		{Name: "Writer.CreateRaw", Value: shimcompress.ZipCreateRaw, Why: "charges for the entry"},

		{Name: "openDir", Value: rows.Behind(shimos.Opened(new(zip.Reader), ".")), With: "Close Read ReadDir Stat", Why: "a directory that Reader.Open returns, for assertions"},

		{Name: "FileInfoHeader", Value: zip.FileInfoHeader},
		{Name: "NewReader", Value: shimcompress.ZipNewReader, Why: "charges for the directory"},
		{Name: "NewWriter", Value: shimcompress.ZipNewWriter, Why: "charges for its tables"},

		{Name: "ErrAlgorithm", Value: &zip.ErrAlgorithm},
		{Name: "ErrChecksum", Value: &zip.ErrChecksum},
		{Name: "ErrFormat", Value: &zip.ErrFormat},
		{Name: "ErrInsecurePath", Value: &zip.ErrInsecurePath},

		{Name: "Deflate", Value: zip.Deflate},
		{Name: "Store", Value: zip.Store},
	},
	Denied: []rows.Denial{
		{Names: "OpenReader ReadCloser", Why: "opens files of the host", Instead: "zip.NewReader"},
		{Names: "RegisterCompressor RegisterDecompressor", Why: "the registers are the host's", Instead: "zip.Writer.RegisterCompressor"},
		{Names: "Writer.AddFS", Why: "would copy without being counted", Instead: "zip.Writer.Create"},
	},
}
