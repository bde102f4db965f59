package memory

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Types of scripts that tell the library a size, the true one at first or never. The library makes
// memory of that size: a process has no room for it, and would end.
var toldSizes = map[string]string{
	"block of a hash":        toldHash + "hmac.New(newH, nil)",
	"block of a hash, hkdf":  toldHash + "hkdf.Key(newH, []byte(`x`), nil, ``, 32)",
	"block of a hash, salt":  toldHash + "pbkdf2.Key(newH, `x`, nil, 1, 32)",
	"block, encrypted":       toldBlock + "cipher.NewCBCEncrypter(B{}, make([]byte, 16))",
	"block, decrypted":       toldBlock + "cipher.NewCBCDecrypter(B{}, make([]byte, 16))",
	"block of a stream":      toldBlock + "cipher.NewCTR(B{}, make([]byte, 16))",
	"file":                   toldFile + "fs.ReadFile(S{}, `x`)",
	"file of a subdirectory": toldFile + "s, _ := fs.Sub(S{}, `y`)\nfs.ReadFile(s, `x`)",
	"file of a template":     toldFile + "template.ParseFS(S{}, `x`)",
}

const (
	toldHash  = "type H struct{ hash.Hash }\nfunc (H) BlockSize() int { return 1 << 44 }\nfunc newH() hash.Hash { return H{sha256.New()} }\n"
	toldBlock = "var asked int\ntype B struct{}\nfunc (B) BlockSize() int { asked++; if asked > 1 { return 1 << 44 }; return 16 }\nfunc (B) Encrypt(d, s []byte) {}\nfunc (B) Decrypt(d, s []byte) {}\n"
	toldFile  = `import "io/fs"
var asked int
type I struct{}
func (I) Name() string { return "x" }
func (I) Size() int64 { asked++; if asked > 1 { return 1 << 44 }; return 0 }
func (I) Mode() fs.FileMode { return 0 }
func (I) ModTime() time.Time { return time.Time{} }
func (I) IsDir() bool { return false }
func (I) Sys() any { return nil }
type F struct{}
func (F) Stat() (fs.FileInfo, error) { return I{}, nil }
func (F) Read([]byte) (int, error) { return 0, io.EOF }
func (F) Close() error { return nil }
type S struct{}
func (S) Open(string) (fs.File, error) { return F{}, nil }
`
)

// TestToldSizes: the run pays for a size as it is told.
func TestToldSizes(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for name, text := range toldSizes {
		t.Run(name, func(t *testing.T) {
			if _, err := box.Run(t.Context(), sandtrap.Script{Text: text}); !errors.Is(err, sandtrap.KindMemory) {
				t.Errorf("ended with %v, want the limit of memory", err)
			}
		})
	}
}
