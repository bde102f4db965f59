package sandtraptest

import (
	"errors"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// quotaBases are file systems in which 3,000 bytes more than two parts of a write fit.
var quotaBases = map[string]func(t *testing.T) (afero.Fs, error){
	"memory":    func(*testing.T) (afero.Fs, error) { return vfs.Mem(), nil },
	"directory": func(t *testing.T) (afero.Fs, error) { return vfs.Dir(t.TempDir()) },
	"layer": func(t *testing.T) (afero.Fs, error) {
		base := vfs.Mem()
		l, err := vfs.NewLayer(base)
		return l, errors.Join(err, afero.WriteFile(base, "/old", make([]byte, 2000), 0o600))
	},
}

// TestWriteQuota: of a write that is larger than the quota as much is written as fits, as on a full disk of Linux, in each
// mode: the parts in which a worker's write gets to the host do not show. A size is set as a whole or not at all.
func TestWriteQuota(t *testing.T) {
	const room = 2*wire.Part + 3000
	for _, tc := range []struct{ name, script, want string }{
		{"file", `fmt.Println(os.WriteFile("/f", make([]byte, room+5000), 0o600), size(), os.WriteFile("/g", []byte("x"), 0o600))`,
			"write /f: disk quota exceeded 0 write /g: disk quota exceeded\n"},
		{"write", `f, _ := os.Create("/f"); f.Write([]byte("abc")); n, err := f.Write(make([]byte, room)); at, _ := f.Seek(0, io.SeekCurrent)
			m, again := f.Write([]byte("x")); fmt.Println(n-room, err, at-int64(room), size(), m, again)`,
			"-3 write /f: disk quota exceeded 0 0 0 write /f: disk quota exceeded\n"},
		{"append", `os.WriteFile("/f", []byte("abc"), 0o600); f, _ := os.OpenFile("/f", os.O_APPEND|os.O_WRONLY, 0); n, err := f.Write(make([]byte, room+1))
			fmt.Println(n-room, err, size())`,
			"-3 write /f: disk quota exceeded 0\n"},
		{"at an offset", `f, _ := os.Create("/f"); n, err := f.WriteAt(make([]byte, room), 10); fmt.Println(n-room, err, size())`,
			"-10 write /f: disk quota exceeded 0\n"},
		{"over what is there", `os.WriteFile("/f", make([]byte, room), 0o600); f, _ := os.OpenFile("/f", os.O_RDWR, 0); n, err := f.WriteAt([]byte("abc"), int64(room-2))
			b := make([]byte, 2); f.ReadAt(b, int64(room-2)); fmt.Println(n, err, size(), string(b))`,
			"2 write /f: disk quota exceeded 0 ab\n"},
		{"behind a hole", `f, _ := os.Create("/f"); n, err := f.WriteAt(make([]byte, room), int64(room)); fmt.Println(n, err, size()+room)`,
			"0 write /f: disk quota exceeded 0\n"},
		{"truncate", `f, _ := os.Create("/f"); err := f.Truncate(int64(room+1)); fmt.Println(err, size()+room, f.Truncate(int64(room)), size())`,
			"truncate /f: disk quota exceeded 0 <nil> 0\n"},
	} {
		for base, open := range quotaBases {
			t.Run(tc.name+"/"+base, func(t *testing.T) {
				eachMode(t, func(b bench) {
					p := sandtrap.Policy{
						Std: []string{"fmt", "io", "os"}, Funcs: map[string]any{"room": room},
						Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return open(t) }, Quota: vfs.Quota{Bytes: room}},
					}
					lifted := ""
					if base == "layer" { // which has a copy of what is there already
						p.Files.Quota.Bytes, lifted = room+2000, `os.Chmod("/old", 0o640); `
					}
					const size = `size := func() int { st, err := os.Stat("/f"); if err != nil { panic(err) }; return int(st.Size()) - room }; `
					res, err := b.Box(p).Run(b.Context(), sandtrap.Script{Text: lifted + size + tc.script})
					if err != nil || res.Stdout != tc.want {
						b.Errorf("%q, %v", res.Stdout, err)
					}
				})
			})
		}
	}
}
