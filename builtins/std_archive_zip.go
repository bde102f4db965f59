package builtins

import "archive/zip"

var stdArchiveZip = Package{
	Path: "archive/zip",
	Bounded: "File.DataOffset File.FileInfo File.ModTime File.Mode File.Open File.OpenRaw File.SetModTime File.SetMode FileHeader.FileInfo FileHeader.ModTime FileHeader.Mode FileHeader.SetModTime " +
		"FileHeader.SetMode Reader.RegisterDecompressor Writer.Close Writer.Flush Writer.RegisterCompressor Writer.SetComment Writer.SetOffset openDir.Close openDir.Read openDir.ReadDir " +
		"openDir.Stat FileInfoHeader",
	Members: []Member{
		{Name: "Compressor", Value: (*zip.Compressor)(nil)},
		{Name: "Decompressor", Value: (*zip.Decompressor)(nil)},
		{Name: "File", Value: (*zip.File)(nil), With: "DataOffset FileHeader FileInfo ModTime Mode Open OpenRaw SetModTime SetMode"},
		{Name: "FileHeader", Value: (*zip.FileHeader)(nil), With: "CRC32 Comment CompressedSize CompressedSize64 CreatorVersion ExternalAttrs Extra FileInfo Flags Method ModTime Mode Modified ModifiedDate ModifiedTime Name NonUTF8 ReaderVersion SetModTime SetMode UncompressedSize UncompressedSize64"},
		{Name: "Reader", Value: (*zip.Reader)(nil), With: "Comment File RegisterDecompressor"},
		{Name: "Reader.Open", Value: zipReaderOpen, Why: "charges for a tree of directories, and asks for its time"},
		{Name: "Writer", Value: (*zip.Writer)(nil), With: "Close Flush RegisterCompressor SetComment SetOffset"},
		{Name: "Writer.Copy", Value: zipCopy, Why: "charges for the entry"},
		{Name: "Writer.Create", Value: zipCreate, Why: "charges for the entry"},
		{Name: "Writer.CreateHeader", Value: zipCreateHeader, Why: "charges for the entry"},
		{Name: "Writer.CreateRaw", Value: zipCreateRaw, Why: "charges for the entry"},

		{Name: "openDir", Value: behind(opened(new(zip.Reader), ".")), With: "Close Read ReadDir Stat", Why: "a directory that Reader.Open returns, for assertions"},

		{Name: "FileInfoHeader", Value: zip.FileInfoHeader},
		{Name: "NewReader", Value: zipNewReader, Why: "charges for the directory"},
		{Name: "NewWriter", Value: zipNewWriter, Why: "charges for its tables"},

		{Name: "ErrAlgorithm", Value: &zip.ErrAlgorithm},
		{Name: "ErrChecksum", Value: &zip.ErrChecksum},
		{Name: "ErrFormat", Value: &zip.ErrFormat},
		{Name: "ErrInsecurePath", Value: &zip.ErrInsecurePath},

		{Name: "Deflate", Value: zip.Deflate},
		{Name: "Store", Value: zip.Store},
	},
	Denied: []Denial{
		{Names: "OpenReader ReadCloser", Why: "opens files of the host", Instead: "zip.NewReader"},
		{Names: "RegisterCompressor RegisterDecompressor", Why: "the registers are the host's", Instead: "zip.Writer.RegisterCompressor"},
		{Names: "Writer.AddFS", Why: "would copy without being counted", Instead: "zip.Writer.Create"},
	},
}
