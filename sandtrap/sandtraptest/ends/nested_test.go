package ends

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// Readers, writers and what else of Go calls what it holds on the Go stack, in circles and in
// each other more often than a stack has room for. The process would end with its stack.
var inEachOther = map[string]string{
	"limited reader of itself":    "r := &io.LimitedReader{N: 1 << 40}\nr.R = r\nr.Read(make([]byte, 1))",
	"limited, read by others":     "r := &io.LimitedReader{N: 1 << 40}\nr.R = r\nio.ReadFull(r, make([]byte, 1))",
	"limited, as a reader":        "l := &io.LimitedReader{N: 1 << 40}\nl.R = l\nvar r io.Reader = l\nr.Read(make([]byte, 1))",
	"limited, by a method":        "r := &io.LimitedReader{N: 1 << 40}\nr.R = r\nread := r.Read\nread(make([]byte, 1))",
	"limited and buffered":        "r := &io.LimitedReader{N: 1 << 40}\nr.R = bufio.NewReader(r)\nio.ReadAll(r)",
	"limited and scanned":         "r := &io.LimitedReader{N: 1 << 40}\ns := bufio.NewScanner(r)\nr.R = r\ns.Scan()",
	"limited and unpacked":        "r := &io.LimitedReader{N: 1 << 40}\nr.R = flate.NewReader(r)\nr.Read(make([]byte, 1))",
	"limited and several":         "r := &io.LimitedReader{N: 1 << 40}\nr.R = io.MultiReader(r, r)\nr.Read(make([]byte, 1))",
	"limited and a tee":           "r := &io.LimitedReader{N: 1 << 40}\nr.R = io.TeeReader(r, io.Discard)\nr.Read(make([]byte, 1))",
	"limited and closed":          "r := &io.LimitedReader{N: 1 << 40}\nr.R = io.NopCloser(r)\nr.Read(make([]byte, 1))",
	"limited and decoded":         "r := &io.LimitedReader{N: 1 << 40}\nr.R = base64.NewDecoder(base64.StdEncoding, hex.NewDecoder(r))\nr.Read(make([]byte, 1))",
	"buffers of each other":       "a := bufio.NewReader(strings.NewReader(\"\"))\nb := bufio.NewReaderSize(a, 8192)\na.Reset(b)\nb.ReadByte()",
	"buffers, by runes":           "a := bufio.NewReader(strings.NewReader(\"\"))\nb := bufio.NewReaderSize(a, 8192)\na.Reset(b)\nb.ReadRune()",
	"buffers, written":            "a := bufio.NewReader(strings.NewReader(\"\"))\nb := bufio.NewReaderSize(a, 8192)\na.Reset(b)\nb.WriteTo(io.Discard)",
	"buffers, text":               "a := bufio.NewReader(strings.NewReader(\"\"))\nb := bufio.NewReaderSize(a, 8192)\na.Reset(b)\nb.ReadString('x')",
	"written buffers":             "a := bufio.NewWriter(io.Discard)\nb := bufio.NewWriterSize(a, 8192)\na.Reset(b)\nfor range 100000 { b.WriteByte(1) }\nb.Flush()",
	"written buffers, text":       "a := bufio.NewWriter(io.Discard)\nb := bufio.NewWriterSize(a, 8192)\na.Reset(b)\nb.WriteString(strings.Repeat(\"x\", 100000))",
	"written buffers, from":       "a := bufio.NewWriter(io.Discard)\nb := bufio.NewWriterSize(a, 8192)\na.Reset(b)\nb.ReadFrom(strings.NewReader(strings.Repeat(\"x\", 100000)))",
	"decrypted by itself":         "b, _ := aes.NewCipher(make([]byte, 16))\nr := &cipher.StreamReader{S: cipher.NewCTR(b, make([]byte, 16))}\nr.R = r\nr.Read(make([]byte, 1))",
	"encrypted by itself":         "b, _ := aes.NewCipher(make([]byte, 16))\nw := &cipher.StreamWriter{S: cipher.NewCTR(b, make([]byte, 16))}\nw.W = w\nw.Write(make([]byte, 1))",
	"encrypted, closed":           "b, _ := aes.NewCipher(make([]byte, 16))\nw := &cipher.StreamWriter{S: cipher.NewCTR(b, make([]byte, 16))}\nw.W = w\nw.Close()",
	"table of itself":             "w := tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', 0)\nw.Init(w, 0, 8, 1, ' ', 0)\nio.WriteString(w, \"a\\tb\\n\\n\")\npanic(w.Flush())",
	"many tees":                   "var r io.Reader = strings.NewReader(\"x\")\nfor range 100_000 { r = io.TeeReader(r, io.Discard) }\nr.Read(make([]byte, 1))",
	"many limits":                 "var r io.Reader = strings.NewReader(\"x\")\nfor range 100_000 { r = io.LimitReader(r, 1) }\nr.Read(make([]byte, 1))",
	"many limits, changed":        "var r io.Reader = strings.NewReader(\"x\")\nfor i := range 300_000 { if i % 20 == 0 { r = io.NopCloser(r) } else { r = io.LimitReader(r, 1) } }\nr.Read(make([]byte, 1))",
	"many sections":               "var r io.ReaderAt = strings.NewReader(\"x\")\nfor range 100_000 { r = io.NewSectionReader(r, 0, 1) }\nr.ReadAt(make([]byte, 1), 0)",
	"many multi readers":          "var r io.Reader = strings.NewReader(\"x\")\nfor range 100_000 { r = io.MultiReader(r, r) }\nr.Read(make([]byte, 1))",
	"many multi writers":          "w := io.Discard\nfor range 100_000 { w = io.MultiWriter(w) }\nw.Write(make([]byte, 1))",
	"many encoders":               "w := io.Discard\nfor range 100_000 { w = hex.NewEncoder(w) }\nw.Write(make([]byte, 1))",
	"many decoders":               "var r io.Reader = strings.NewReader(\"00\")\nfor range 100_000 { r = hex.NewDecoder(r) }\nr.Read(make([]byte, 1))",
	"many sources":                "r := rand.New(rand.NewSource(1))\nfor range 100_000 { r = rand.New(r) }\nr.Int()",
	"many sources of version 2":   "import randv2 \"math/rand/v2\"\nr := randv2.New(randv2.NewPCG(1, 2))\nfor range 100_000 { r = randv2.New(r) }\nr.Uint64()",
	"error in itself":             "e := &fs.PathError{}\ne.Err = e\ne.Timeout()",
	"error in itself, asked for":  "e := &fs.PathError{}\ne.Err = e\nos.IsTimeout(e)",
	"errors of each other":        "e := &url.Error{}\ne.Err = &fs.PathError{Err: e}\ne.Timeout()",
	"errors, temporary":           "e := &url.Error{}\ne.Err = e\ne.Temporary()",
	"error, told":                 "e := &fs.PathError{}\ne.Err = e\ne.Error()",
	"reversed many times":         "var s sort.Interface = sort.IntSlice{2, 1}\nfor range 100_000 { s = sort.Reverse(s) }\nsort.Sort(s)",
	"contexts as values":          "c := context.Background()\nfor range 2_000 { c = context.WithValue(context.Background(), 1, c) }\n_ = c.(fmt.Stringer).String()",
	"directories without end":     endlessTree + "fs.WalkDir(F{}, \".\", func(string, fs.DirEntry, error) error { return nil })",
	"readers of a script's types": "type T struct { io.Reader }\nt := &T{}\nt.Reader = io.TeeReader(t, io.Discard)\nt.Read(make([]byte, 1))",
}

// TestInEachOther: a run of such a script ends, with an error, and the process does not.
func TestInEachOther(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std: []string{
			"bufio", "compress/flate", "context", "crypto/aes", "crypto/cipher", "encoding/base64", "encoding/hex", "fmt", "io",
			"io/fs", "math/rand", "math/rand/v2", "net/url", "os", "sort", "strings", "text/tabwriter", "time",
		},
		Limits: sandtrap.Limits{Timeout: 20 * time.Second, Memory: 1 << 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for name, text := range inEachOther {
		t.Run(name, func(t *testing.T) {
			_, err := box.Run(context.Background(), sandtrap.Script{Text: text})
			if err == nil || !strings.Contains(err.Error(), "nested too deep") {
				t.Errorf("%v", err)
			}
		})
	}
}

// endlessTree declares a file system in which each directory has another.
const endlessTree = `type I struct{}
func (I) Name() string { return "x" }
func (I) Size() int64 { return 0 }
func (I) Mode() fs.FileMode { return fs.ModeDir }
func (I) ModTime() time.Time { return time.Time{} }
func (I) IsDir() bool { return true }
func (I) Sys() any { return nil }
type D struct{}
func (D) Close() error { return nil }
func (D) Read([]byte) (int, error) { return 0, nil }
func (D) Stat() (fs.FileInfo, error) { return I{}, nil }
func (D) ReadDir(int) ([]fs.DirEntry, error) { return []fs.DirEntry{fs.FileInfoToDirEntry(I{})}, nil }
type F struct{}
func (F) Open(string) (fs.File, error) { return D{}, nil }
`

// TestEndlessTree: the names of directories in each other, which code of the host keeps, are paid
// for when it calls the script with them.
func TestEndlessTree(t *testing.T) {
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Timeout: time.Minute}}
	if _, err := rig.RunOnce(t, p, endlessTree+"fstest.TestFS(F{}, \"x\")"); !errors.Is(err, sandtrap.KindMemory) {
		t.Errorf("error %v, want KindMemory", err)
	}
}

// TestContextsInEachOther: contexts are in each other as often as in Go, and asking them needs
// no stack.
func TestContextsInEachOther(t *testing.T) {
	const text = `
		const n = 200_000
		root, cancel := context.WithCancelCause(context.WithValue(context.Background(), "k", "v"))
		ctx, _ := context.WithDeadline(root, time.Now().Add(time.Hour))
		for i := range n {
			switch i % 4 {
			case 0:
				ctx = context.WithValue(ctx, i, i)
			case 1:
				ctx, _ = context.WithCancel(ctx)
			case 2:
				ctx, _ = context.WithTimeout(ctx, 2*time.Hour)
			case 3:
				ctx = context.WithValue(ctx, i, root)
			}
		}
		ended := make(chan bool)
		context.AfterFunc(ctx, func() { close(ended) })
		_, limited := ctx.Deadline()
		fmt.Println(ctx.Value("k"), ctx.Value(0), ctx.Value("none"), limited, ctx.Err(), len(fmt.Sprint(ctx)) > 11*n)
		cancel(errors.New("why"))
		<-ctx.Done()
		<-ended
		fmt.Println(ctx.Err(), context.Cause(ctx))
		for range n {
			ctx = context.WithoutCancel(ctx)
		}
		fmt.Println(ctx.Value("k"), ctx.Err(), context.Cause(ctx), len(fmt.Sprint(ctx)) > 14*n)`
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std:    []string{"context", "errors", "fmt", "time"},
		Limits: sandtrap.Limits{Timeout: time.Minute, Memory: 1 << 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: text})
	const want = "v 0 <nil> true <nil> true\ncontext canceled why\nv <nil> <nil> true\n"
	if got := string(res.Stdout); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// What has no end in Go is stopped in the script's own line, for it goes on in no goroutine of
// the host.
var withoutEnd = map[string]string{
	"ring, by a copy":          "c := *ring.New(3)\nc.Len()",
	"ring, by a copy, visited": "c := *ring.New(3)\nc.Do(func(any) {})",
	"ring, by a copy, moved":   "c := *ring.New(3)\nc.Move(1)",
	"ring, by a copy, cut":     "c := *ring.New(3)\nc.Unlink(1)",
	"numbers of no exponent":   "rand.NewZipf(rand.New(rand.NewSource(1)), math.NaN(), 1, 10).Uint64()",
	"numbers of version 2":     "import randv2 \"math/rand/v2\"\nrandv2.NewZipf(randv2.New(randv2.NewPCG(1, 2)), math.Inf(1), 1, 10).Uint64()",
	"roots of a negative":      "new(big.Int).ModSqrt(big.NewInt(4), big.NewInt(-25))",
}

func TestWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std:    []string{"container/ring", "math", "math/big", "math/rand", "math/rand/v2"},
		Limits: sandtrap.Limits{Timeout: time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for name, text := range withoutEnd {
		t.Run(name, func(t *testing.T) {
			_, err := box.Run(context.Background(), sandtrap.Script{Text: text})
			if err == nil || !strings.Contains(err.Error(), "did not end") || strings.Contains(err.Error(), "has not returned") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestTypeOfTypes: the name of a map of maps of maps is longer than any memory.
func TestTypeOfTypes(t *testing.T) {
	const text = "t := reflect.TypeFor[int]()\nfor range 40 { p := reflect.PointerTo(t)\nt = reflect.MapOf(p, p) }"
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"reflect"}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	_, err = box.Run(t.Context(), sandtrap.Script{Text: text})
	if err == nil || !strings.Contains(err.Error(), "made of too many") {
		t.Errorf("%v", err)
	}
}

// TestHeldIsWhatItWas: what guards what a reader holds does not show.
func TestHeldIsWhatItWas(t *testing.T) {
	const text = `
		b := bufio.NewReader(strings.NewReader("one two"))
		fmt.Println(bufio.NewReader(b) == b)
		w := bufio.NewWriter(os.Stdout)
		fmt.Println(bufio.NewWriter(w) == w)
		l := io.LimitReader(b, 3)
		n, ok := l.(*io.LimitedReader)
		fmt.Printf("%T %v %v\n", l, ok, n.R == b)
		t, _ := io.ReadAll(l)
		fmt.Println(string(t), n.N)
		at := strings.NewReader("outer")
		r, off, size := io.NewSectionReader(at, 1, 2).Outer()
		fmt.Println(r == io.ReaderAt(at), off, size)
		fmt.Printf("%T\n", sort.Reverse(sort.IntSlice{1}))
		c := csv.NewWriter(w)
		c.Write([]string{"a", "b"})
		c.Flush()`
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"bufio", "encoding/csv", "fmt", "io", "os", "sort", "strings"}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: text})
	const want = "true\ntrue\n*io.LimitedReader true true\none 0\ntrue 1 2\n*sort.reverse\na,b\n"
	if got := string(res.Stdout); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// TestLinksInMaps: links of a MapFS are followed, and those that lead to each other have an end.
func TestLinksInMaps(t *testing.T) {
	const link = `l := func(to string) *fstest.MapFile { return &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte(to)} }; `
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: 10 * time.Second, Memory: memoryLimit}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for name, text := range map[string]string{
		"to itself":     `fstest.MapFS{"a": l("a")}.Open("a")`,
		"to each other": `fs.ReadFile(fstest.MapFS{"a": l("b/x"), "b": l("a/y")}, "a/z")`,
		"of a part":     `s, _ := fs.Sub(fstest.MapFS{"d/a": l("a")}, "d"); fs.Stat(s, "a")`,
		"on the way":    `fs.ReadLink(fstest.MapFS{"a": l("a")}, "a/b")`,
		"longer":        `fs.Stat(fstest.MapFS{"a": l("a/b"), "b": l("a")}, "b")`,
		"tested":        `panic(fstest.TestFS(fstest.MapFS{"a": l("a")}, "a"))`,
	} {
		_, err := box.Run(t.Context(), sandtrap.Script{Text: link + text})
		if err == nil || !strings.Contains(err.Error(), "lead to each other") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = box.Run(t.Context(), sandtrap.Script{Text: `fstest.MapFS{"a": {}}.Open(strings.Repeat("a/", 1e6) + "a")`})
	if err == nil || !strings.Contains(err.Error(), "bytes is too long") {
		t.Errorf("a name of 2 MB: %v", err)
	}
	res, err := box.Run(t.Context(), sandtrap.Script{Text: link + `
		m := fstest.MapFS{"a": l("a"), "b": l("d/c"), "d/c": {Data: []byte("text")}, "e": l("d")}
		to, err1 := fs.ReadLink(m, "a")
		data, err2 := fs.ReadFile(m, "e/c")
		s, err3 := fs.Sub(m, "e")
		i, err4 := fs.Lstat(m, "b")
		more, err5 := fs.ReadFile(s, "c")
		got := fmt.Sprint(to, string(data), string(more), i.Mode(), err1, err2, err3, err4, err5)`})
	if want := "atexttextL--------- <nil> <nil> <nil> <nil> <nil>"; err != nil || res.Vars["got"] != want {
		t.Errorf("%v, %v, want %s", res.Vars["got"], err, want)
	}
}

// TestWordsAreCopies: what a script does to the words of a number does not change it.
func TestWordsAreCopies(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: 10 * time.Second, Memory: memoryLimit}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: `
		x := new(big.Int).Lsh(big.NewInt(1), 64)
		words := x.Bits()
		y := new(big.Int).SetBits(words)
		clear(words)
		got := fmt.Sprint(x, y, len(words))`})
	if want := "18446744073709551616 18446744073709551616 2"; err != nil || res.Vars["got"] != want {
		t.Errorf("%v, %v, want %s", res.Vars["got"], err, want)
	}
}
