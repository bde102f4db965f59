package compress

import (
	"archive/tar"
	"archive/zip"
	"io"
	"io/fs"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// entryBytes is how much the reader of an archive may keep for a byte of its
// directory.
const entryBytes = 16

// archiveReaderAt charges for what is read while a directory is.
type archiveReaderAt struct {
	io.ReaderAt
	env       *shim.Env
	directory bool
}

func (r *archiveReaderAt) ReadAt(p []byte, off int64) (int, error) {
	r.env.Check()
	r.env.Enter()
	defer r.env.Leave()
	n, err := r.ReaderAt.ReadAt(p, off)
	if r.directory {
		r.env.Charge(entryBytes * int64(n))
	}
	return n, err
}

func ZipNewReader(e *shim.Env) func(io.ReaderAt, int64) (*zip.Reader, error) {
	return func(r io.ReaderAt, size int64) (*zip.Reader, error) {
		at := &archiveReaderAt{r, e, true}
		z, err := zip.NewReader(at, size)
		at.directory = false
		return z, err
	}
}

// ZipReaderOpen makes a tree of directories when it is first called, with one for
// each slash in a name.
func ZipReaderOpen(e *shim.Env) func(*zip.Reader, string) (fs.File, error) {
	return func(z *zip.Reader, name string) (fs.File, error) {
		for _, f := range z.File {
			e.Charge(200 * int64(1+strings.Count(f.Name, "/")))
		}
		if took := zipTreeTime(z.File); took >= zipTreeFree {
			e.Work(took / shim.TickTime)
		}
		return z.Open(name)
	}
}

// zipTreeFree are the nanoseconds of a tree of directories that nobody asks for: it is made once
// for an archive, and the functions here do not know whether it is there.
const zipTreeFree = 5_000_000

// zipTreeTime is how many nanoseconds it takes to make the tree: each name is cleaned, and each
// directory above it that is not above the name before is put into maps, by its whole path.
func zipTreeTime(files []*zip.File) int64 {
	const clean, mapped = 4, 2 // nanoseconds for a byte, and bytes for a nanosecond
	took, before := int64(0), ""
	for _, f := range files {
		took += clean * int64(len(f.Name))
		for i := shared(before, f.Name); i < len(f.Name); i++ {
			if f.Name[i] == '/' || f.Name[i] == '\\' {
				took += int64(i) / mapped
			}
		}
		before = f.Name
	}
	return took
}

// shared is how many bytes a and b begin with in common.
func shared(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func ZipNewWriter(e *shim.Env) func(io.Writer) *zip.Writer {
	return func(w io.Writer) *zip.Writer {
		e.Charge(compressorSize)
		return zip.NewWriter(e.Writer(w))
	}
}

// payEntry charges for what a writer keeps of an entry until it is closed.
func payEntry(e *shim.Env, h *zip.FileHeader) {
	if h != nil {
		e.Charge(1000 + 2*int64(len(h.Name)+len(h.Comment)+len(h.Extra)))
	}
}

// entryWriter is the writer of an entry.
func entryWriter(e *shim.Env, w io.Writer, err error) (io.Writer, error) {
	if err != nil {
		return nil, err
	}
	return e.InPiecesTo(w), nil
}

func ZipCreate(e *shim.Env) func(*zip.Writer, string) (io.Writer, error) {
	return func(z *zip.Writer, name string) (io.Writer, error) {
		payEntry(e, &zip.FileHeader{Name: name})
		w, err := z.Create(name)
		return entryWriter(e, w, err)
	}
}

func ZipCreateHeader(e *shim.Env) func(*zip.Writer, *zip.FileHeader) (io.Writer, error) {
	return func(z *zip.Writer, h *zip.FileHeader) (io.Writer, error) {
		payEntry(e, h)
		w, err := z.CreateHeader(h)
		return entryWriter(e, w, err)
	}
}

func ZipCreateRaw(e *shim.Env) func(*zip.Writer, *zip.FileHeader) (io.Writer, error) {
	return func(z *zip.Writer, h *zip.FileHeader) (io.Writer, error) {
		payEntry(e, h)
		w, err := z.CreateRaw(h)
		return entryWriter(e, w, err)
	}
}

func ZipCopy(e *shim.Env) func(*zip.Writer, *zip.File) error {
	return func(z *zip.Writer, f *zip.File) error {
		payEntry(e, &f.FileHeader)
		return z.Copy(f)
	}
}

func TarNewReader(e *shim.Env) func(io.Reader) *tar.Reader {
	return func(r io.Reader) *tar.Reader { return tar.NewReader(&shim.HeldReader{Reader: r, Env: e}) }
}

// TarNext charges for a header when it is there: Go reads no more than a mebibyte
// for one.
func TarNext(e *shim.Env) func(*tar.Reader) (*tar.Header, error) {
	return func(r *tar.Reader) (*tar.Header, error) {
		h, err := r.Next()
		if h != nil {
			e.Charge(1000)
			for k, v := range h.PAXRecords {
				e.Charge(200 + 2*int64(len(k)+len(v)))
			}
		}
		return h, err
	}
}

// tarRate is a rate for PayText: a name that is none of an old header is looked at many times.
const tarRate = 40

func TarWriteHeader(e *shim.Env) func(*tar.Writer, *tar.Header) error {
	return func(w *tar.Writer, h *tar.Header) error {
		if h != nil {
			size := len(h.Name) + len(h.Linkname) + len(h.Uname) + len(h.Gname)
			e.Charge(2 * int64(size))
			e.PayText(tarRate, size)
		}
		return w.WriteHeader(h)
	}
}

func TarNewWriter(e *shim.Env) func(io.Writer) *tar.Writer {
	return func(w io.Writer) *tar.Writer { return tar.NewWriter(e.Keeper(w)) }
}
