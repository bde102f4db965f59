package worker

import (
	"io"
	"os"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A file is one that the host has open. Its offset is there, too.
type file struct {
	fs     *files
	name   string
	handle uint64
}

func (f *file) do(op jobs.FileOp) (jobs.FileResult, error) {
	op.Handle, op.Path = f.handle, f.name
	got, err := f.fs.call(f.fs.run(), op)
	return got, f.fs.wrap(op, err)
}

func (f *file) Name() string { return f.name }

func (f *file) Close() error {
	_, err := f.do(jobs.FileOp{Op: "close"})
	return err
}

func (f *file) Read(p []byte) (int, error) {
	return f.read(p, jobs.FileOp{Op: "read"})
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		n, err := f.read(p[done:], jobs.FileOp{Op: "pread", Offset: off + int64(done)})
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func (f *file) read(p []byte, op jobs.FileOp) (int, error) {
	op.N = int64(min(len(p), wire.Part))
	got, err := f.do(op)
	n := copy(p, got.Data)
	if err == nil && got.EOF && n < len(p) {
		err = io.EOF
	}
	if n > 0 && op.Op == "read" && err == io.EOF {
		err = nil // the next one says so
	}
	return n, err
}

func (f *file) Write(p []byte) (int, error) {
	return f.write(p, func(int) jobs.FileOp { return jobs.FileOp{Op: "write"} })
}

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	return f.write(p, func(done int) jobs.FileOp {
		return jobs.FileOp{Op: "pwrite", Offset: off + int64(done)}
	})
}

// write writes p a part at a time.
func (f *file) write(p []byte, op func(done int) jobs.FileOp) (int, error) {
	done := 0
	for {
		next := op(done)
		next.Data = p[done:min(len(p), done+wire.Part)]
		got, err := f.do(next)
		done += int(min(max(got.N, 0), int64(len(next.Data))))
		if err != nil || done >= len(p) {
			return done, err
		}
		if got.N <= 0 {
			return done, io.ErrShortWrite
		}
	}
}

func (f *file) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *file) Seek(offset int64, whence int) (int64, error) {
	got, err := f.do(jobs.FileOp{Op: "seek", Offset: offset, Flag: whence})
	return got.N, err
}

func (f *file) Truncate(size int64) error {
	_, err := f.do(jobs.FileOp{Op: "truncate", N: size})
	return err
}

func (f *file) Sync() error {
	_, err := f.do(jobs.FileOp{Op: "sync"})
	return err
}

func (f *file) Stat() (os.FileInfo, error) {
	op := jobs.FileOp{Op: "fstat"}
	got, err := f.do(op)
	if err != nil {
		return nil, err
	}
	if len(got.Infos) != 1 {
		return nil, f.fs.wrap(op, io.ErrUnexpectedEOF)
	}
	return info{got.Infos[0]}, nil
}

func (f *file) Readdir(n int) ([]os.FileInfo, error) {
	infos := []os.FileInfo{}
	for n <= 0 || len(infos) < n {
		want := 1000
		if n > 0 {
			want = min(want, n-len(infos))
		}
		got, err := f.do(jobs.FileOp{Op: "readdir", N: int64(want)})
		for _, i := range got.Infos {
			infos = append(infos, info{i})
		}
		if err != nil {
			return infos, err
		}
		if got.EOF || len(got.Infos) == 0 {
			break
		}
	}
	if n > 0 && len(infos) == 0 {
		return infos, io.EOF
	}
	return infos, nil
}

func (f *file) Readdirnames(n int) ([]string, error) {
	infos, err := f.Readdir(n)
	names := []string{}
	for _, i := range infos {
		names = append(names, i.Name())
	}
	return names, err
}
