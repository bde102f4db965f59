package std

import (
	"io"
	"io/fs"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimerrors "github.com/sandtrap-go/sandtrap/builtins/internal/shim/errors"
	shimio "github.com/sandtrap-go/sandtrap/builtins/internal/shim/io"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

var stdIo = rows.Package{
	Path:    "io",
	Engine:  "*=formats",
	Bounded: "OffsetWriter.Seek OffsetWriter.Write OffsetWriter.WriteAt SectionReader.Read SectionReader.ReadAt SectionReader.Seek SectionReader.Size LimitReader ReadAtLeast ReadFull",
	Renamed: true,
	Members: []rows.Member{
		{Name: "ByteReader", Value: (*io.ByteReader)(nil)},
		{Name: "ByteScanner", Value: (*io.ByteScanner)(nil)},
		{Name: "ByteWriter", Value: (*io.ByteWriter)(nil)},
		{Name: "ByteWriter.WriteByte", Value: shimio.WriteByteOn},
		{Name: "Closer", Value: (*io.Closer)(nil)},
		{Name: "LimitedReader", Value: (*shim.LimitedReader)(nil), With: "N R Read"},
		{Name: "OffsetWriter", Value: (*io.OffsetWriter)(nil), With: "Seek Write WriteAt"},
		{Name: "PipeReader", Value: (*shimio.PipeReader)(nil), With: "Close CloseWithError Read"},
		{Name: "PipeWriter", Value: (*shimio.PipeWriter)(nil), With: "Close CloseWithError Write"},
		{Name: "ReadCloser", Value: (*io.ReadCloser)(nil)},
		{Name: "ReadSeekCloser", Value: (*io.ReadSeekCloser)(nil)},
		{Name: "ReadSeeker", Value: (*io.ReadSeeker)(nil)},
		{Name: "ReadWriteCloser", Value: (*io.ReadWriteCloser)(nil)},
		{Name: "ReadWriteCloser.Write", Value: shimio.WriteOn[io.ReadWriteCloser]},
		{Name: "ReadWriteSeeker", Value: (*io.ReadWriteSeeker)(nil)},
		{Name: "ReadWriteSeeker.Write", Value: shimio.WriteOn[io.ReadWriteSeeker]},
		{Name: "ReadWriter", Value: (*io.ReadWriter)(nil)},
		{Name: "ReadWriter.Write", Value: shimio.WriteOn[io.ReadWriter]},
		{Name: "Reader", Value: (*io.Reader)(nil)},
		{Name: "ReaderAt", Value: (*io.ReaderAt)(nil)},
		{Name: "ReaderFrom", Value: (*io.ReaderFrom)(nil)},
		{Name: "ReaderFrom.ReadFrom", Value: shimio.ReadFromOn},
		{Name: "RuneReader", Value: (*io.RuneReader)(nil)},
		{Name: "RuneScanner", Value: (*io.RuneScanner)(nil)},
		{Name: "SectionReader", Value: (*io.SectionReader)(nil), With: "Outer Read ReadAt Seek Size"},
		{Name: "SectionReader.Outer", Value: shimio.SectionOuter},
		{Name: "Seeker", Value: (*io.Seeker)(nil)},
		{Name: "StringWriter", Value: (*io.StringWriter)(nil)},
		{Name: "StringWriter.WriteString", Value: shimio.WriteStringOn},
		{Name: "WriteCloser", Value: (*io.WriteCloser)(nil)},
		{Name: "WriteCloser.Write", Value: shimio.WriteOn[io.WriteCloser]},
		{Name: "WriteSeeker", Value: (*io.WriteSeeker)(nil)},
		{Name: "WriteSeeker.Write", Value: shimio.WriteOn[io.WriteSeeker]},
		{Name: "Writer", Value: (*io.Writer)(nil)},
		{Name: "Writer.Write", Value: shimio.WriteOn[io.Writer]},
		{Name: "WriterAt", Value: (*io.WriterAt)(nil)},
		{Name: "WriterTo", Value: (*io.WriterTo)(nil)},
		{Name: "WriterTo.WriteTo", Value: shimio.WriteToOn},

		{Name: "Copy", Value: shimio.Copy, Why: "a source may never end"},
		{Name: "CopyBuffer", Value: shimio.CopyBuffer, Why: "a source may never end"},
		{Name: "CopyN", Value: shimio.CopyN, Why: "a source may never end"},
		{Name: "LimitReader", Value: shimio.LimitReader, Why: "see LimitedReader"},
		{Name: "MultiReader", Value: shimio.MultiReader, Why: "readers in each other take of the Go stack"},
		{Name: "MultiWriter", Value: shimio.MultiWriter},
		{Name: "NewOffsetWriter", Value: shimio.NewOffsetWriter, Why: "as MultiReader"},
		{Name: "NewSectionReader", Value: shimio.NewSectionReader, Why: "as MultiReader"},
		{Name: "NopCloser", Value: shimio.NopCloser, Why: "as MultiReader"},
		{Name: "Pipe", Value: shimio.Pipe, Why: "its ends are waited for by goroutines of the script's, not of the host's"},
		{Name: "ReadAll", Value: shimio.ReadAll, Why: "a source may never end"},
		{Name: "ReadAtLeast", Value: io.ReadAtLeast},
		{Name: "ReadFull", Value: io.ReadFull},
		{Name: "TeeReader", Value: shimio.TeeReader},
		{Name: "WriteString", Value: shimio.WriteString},

		{Name: "Discard", Value: &io.Discard},
		{Name: "EOF", Value: &io.EOF},
		{Name: "ErrClosedPipe", Value: &io.ErrClosedPipe},
		{Name: "ErrNoProgress", Value: &io.ErrNoProgress},
		{Name: "ErrShortBuffer", Value: &io.ErrShortBuffer},
		{Name: "ErrShortWrite", Value: &io.ErrShortWrite},
		{Name: "ErrUnexpectedEOF", Value: &io.ErrUnexpectedEOF},

		{Name: "SeekCurrent", Value: rows.Literal("1")},
		{Name: "SeekEnd", Value: rows.Literal("2")},
		{Name: "SeekStart", Value: rows.Literal("0")},
	},
}

var stdIoFs = rows.Package{
	Path: "io/fs",
	Bounded: "FileMode.IsDir FileMode.IsRegular FileMode.Perm FileMode.String FileMode.Type PathError.Error PathError.Unwrap FileInfoToDirEntry FormatDirEntry FormatFileInfo Lstat ReadDir " +
		"ReadLink Stat Sub ValidPath",
	Members: []rows.Member{
		{Name: "DirEntry", Value: (*fs.DirEntry)(nil)},
		{Name: "FS", Value: (*fs.FS)(nil)},
		{Name: "File", Value: (*fs.File)(nil)},
		{Name: "FileInfo", Value: (*fs.FileInfo)(nil)},
		{Name: "FileMode", Value: (*fs.FileMode)(nil), With: "IsDir IsRegular Perm String Type"},
		{Name: "GlobFS", Value: (*fs.GlobFS)(nil)},
		{Name: "PathError", Value: (*fs.PathError)(nil), With: "Err Error Op Path Timeout Unwrap"},
		{Name: "PathError.Timeout", Value: shimerrors.TimeoutOf[*fs.PathError], Why: "an error may be in itself"},
		{Name: "ReadDirFS", Value: (*fs.ReadDirFS)(nil)},
		{Name: "ReadDirFile", Value: (*fs.ReadDirFile)(nil)},
		{Name: "ReadFileFS", Value: (*fs.ReadFileFS)(nil)},
		{Name: "ReadLinkFS", Value: (*fs.ReadLinkFS)(nil)},
		{Name: "StatFS", Value: (*fs.StatFS)(nil)},
		{Name: "SubFS", Value: (*fs.SubFS)(nil)},
		{Name: "WalkDirFunc", Value: (*fs.WalkDirFunc)(nil)},

		{Name: "FileInfoToDirEntry", Value: fs.FileInfoToDirEntry},
		{Name: "FormatDirEntry", Value: fs.FormatDirEntry},
		{Name: "FormatFileInfo", Value: fs.FormatFileInfo},
		{Name: "Glob", Value: shimos.FsGlob, Why: "takes the length of the pattern times that of the names"},
		{Name: "Lstat", Value: fs.Lstat},
		{Name: "ReadDir", Value: fs.ReadDir},
		{Name: "ReadFile", Value: shimos.FsReadFile, Why: "its result is as large as the file"},
		{Name: "ReadLink", Value: fs.ReadLink},
		{Name: "Stat", Value: fs.Stat},
		{Name: "Sub", Value: fs.Sub},
		{Name: "ValidPath", Value: fs.ValidPath},
		{Name: "WalkDir", Value: shimos.FsWalkDir, Why: "a tree may never end"},

		{Name: "ErrClosed", Value: &fs.ErrClosed},
		{Name: "ErrExist", Value: &fs.ErrExist},
		{Name: "ErrInvalid", Value: &fs.ErrInvalid},
		{Name: "ErrNotExist", Value: &fs.ErrNotExist},
		{Name: "ErrPermission", Value: &fs.ErrPermission},
		{Name: "SkipAll", Value: &fs.SkipAll},
		{Name: "SkipDir", Value: &fs.SkipDir},

		{Name: "ModeAppend", Value: fs.ModeAppend},
		{Name: "ModeCharDevice", Value: fs.ModeCharDevice},
		{Name: "ModeDevice", Value: fs.ModeDevice},
		{Name: "ModeDir", Value: fs.ModeDir},
		{Name: "ModeExclusive", Value: fs.ModeExclusive},
		{Name: "ModeIrregular", Value: fs.ModeIrregular},
		{Name: "ModeNamedPipe", Value: fs.ModeNamedPipe},
		{Name: "ModePerm", Value: fs.ModePerm},
		{Name: "ModeSetgid", Value: fs.ModeSetgid},
		{Name: "ModeSetuid", Value: fs.ModeSetuid},
		{Name: "ModeSocket", Value: fs.ModeSocket},
		{Name: "ModeSticky", Value: fs.ModeSticky},
		{Name: "ModeSymlink", Value: fs.ModeSymlink},
		{Name: "ModeTemporary", Value: fs.ModeTemporary},
		{Name: "ModeType", Value: fs.ModeType},
	},
}

// stdIoIoutil is there for older programs; its members are those of io and os.
var stdIoIoutil = rows.Package{
	Path:     "io/ioutil",
	NeedsRun: true,
	Members: []rows.Member{
		{Name: "NopCloser", Value: shimio.NopCloser, Why: "as io.MultiReader"},
		{Name: "ReadAll", Value: shimio.ReadAll, Why: "a source may never end"},
		{Name: "ReadDir", Value: shimos.IoutilReadDir, Needs: "files"},
		{Name: "ReadFile", Value: shimos.OsReadFile, Needs: "files"},
		{Name: "TempDir", Value: shimos.OsMkdirTemp, Needs: "files"},
		{Name: "TempFile", Value: shimos.OsCreateTemp, Needs: "files"},
		{Name: "WriteFile", Value: shimos.OsWriteFile, Needs: "files"},

		{Name: "Discard", Value: &io.Discard},
	},
}
