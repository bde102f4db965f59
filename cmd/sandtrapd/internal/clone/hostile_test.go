package clone

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// TestNames: a tree with a name that leads elsewhere, or that some system takes for .git, writes nothing.
func TestNames(t *testing.T) {
	g := newRepository(t)
	text := g.blob("evil")
	sub := g.tree(entry{"100755", "pre-commit", text})
	deep := g.tree(entry{"100644", "x", text})
	for range maxDepth + 2 {
		deep = g.tree(entry{"40000", "d", deep})
	}
	trees := map[string]string{
		"two entries": g.tree(entry{"120000", "a", g.blob("/tmp")}, entry{"40000", "a", sub}),
		"deep":        deep,
		"missing":     g.tree(entry{"100644", "a", sub}),
	}
	for _, name := range []string{
		"..", ".", "../x", "/etc/x", "a/b", "a\\..\\b", ".git", ".GIT", ".Git ", ".git.", ".g\u200cit", ".git\ufeff", "git~1", "GIT~2", "a:b", "a\nb", "\xff", "C:",
		strings.Repeat("a", maxName+1),
	} {
		trees[fmt.Sprintf("%.20q as a file", name)] = g.tree(entry{"100644", name, text})
		trees[fmt.Sprintf("%.20q as a directory", name)] = g.tree(entry{"40000", name, sub})
		trees[fmt.Sprintf("%.20q as a link", name)] = g.tree(entry{"120000", name, text})
	}
	i, branches := 0, map[string]string{}
	for of, tree := range trees {
		i++
		branches[of] = fmt.Sprint("b", i)
		g.commit(branches[of], tree)
	}
	r := newRig(t, g.backend, Limits{})
	for of, branch := range branches {
		_, into, err := r.clone(t, Request{URL: "/repo.git", Ref: branch, Dir: "in"})
		if left := contents(t, into); err == nil || len(left) > 0 {
			t.Errorf("%s: %v, and %q are written", of, err, left)
		} else if !errors.Is(err, ErrRepository) && !errors.Is(err, ErrLimit) {
			t.Logf("%s: %v", of, err) // git itself refuses to serve it
		}
	}
}

// TestLimits: files that are too large or too many, also by naming the same tree again and again, are refused before anything is written.
func TestLimits(t *testing.T) {
	g := newRepository(t)
	text := g.blob("x")
	var many []entry
	for i := range 100_000 {
		many = append(many, entry{"100644", fmt.Sprintf("%06d", i), text})
	}
	g.commit("many", g.tree(many...))
	bomb := g.tree(entry{"100644", "x", text})
	for range 12 {
		var list []entry
		for i := range 10 {
			list = append(list, entry{"40000", fmt.Sprint(i), bomb})
		}
		bomb = g.tree(list...)
	}
	g.commit("bomb", bomb) // 10^12 files
	large := g.blob(strings.Repeat("large", 1<<18))
	g.commit("large", g.tree(entry{"100644", "a", large}))
	half := g.blob(strings.Repeat("y", 900_000))
	var again []entry
	for i := range 10 {
		again = append(again, entry{"100644", fmt.Sprint(i), half})
	}
	g.commit("again", g.tree(again...))
	r := newRig(t, g.backend, Limits{File: 1 << 20, Unpacked: 8 << 20})
	for _, branch := range []string{"many", "bomb", "large", "again"} {
		_, into, err := r.clone(t, Request{URL: "/repo.git", Ref: branch})
		if left := contents(t, into); !errors.Is(err, ErrLimit) || len(left) > 0 {
			t.Errorf("%s: %v, and %d files are written", branch, err, len(left))
		}
	}
}

// packs makes packs by hand.
type pack struct {
	bytes.Buffer
	count uint32
}

// object adds one: its kind, the length that its header says, what is between the header and the data, and the data.
func (p *pack) object(kind plumbing.ObjectType, length int, before string, data []byte) int {
	at := p.Len() + 12
	first := byte(kind)<<4 | byte(length&15)
	for length >>= 4; length > 0; length >>= 7 {
		p.WriteByte(first | 0x80)
		first = byte(length & 0x7f)
	}
	p.WriteByte(first)
	p.WriteString(before)
	z := zlib.NewWriter(p)
	_, _ = z.Write(data)
	_ = z.Close()
	p.count++
	return at
}

func (p *pack) text() []byte {
	head := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), p.count)
	all := append(head, p.Bytes()...)
	sum := sha1.Sum(all)
	return append(all, sum[:]...)
}

// offset is the distance of an OFS delta.
func offset(n int) string {
	text := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		text = append([]byte{byte(0x80 | n&0x7f)}, text...)
	}
	return string(text)
}

// copies is a delta that copies the first 65,536 bytes of its base n times.
func copies(base, n int) []byte {
	text := binary.AppendUvarint(nil, uint64(base))
	text = binary.AppendUvarint(text, uint64(n)<<16)
	return append(text, bytes.Repeat([]byte{0x80}, n)...) // offset 0 and size 0, which is 65,536
}

// serve answers any request of a client with a pack, or what body writes after it was asked for.
func serve(body func(w io.Writer)) http.Handler {
	line := func(w io.Writer, text string) { fmt.Fprintf(w, "%04x%s", len(text)+4, text) }
	hash := strings.Repeat("ab", 20)
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.HasSuffix(q.URL.Path, "/info/refs") {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			line(w, "# service=git-upload-pack\n")
			_, _ = io.WriteString(w, "0000")
			line(w, hash+" HEAD\x00shallow ofs-delta\n")
			line(w, hash+" refs/heads/main\n")
			_, _ = io.WriteString(w, "0000")
			return
		}
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		line(w, "shallow "+hash)
		_, _ = io.WriteString(w, "0000")
		line(w, "NAK\n")
		body(w)
	})
}

// TestPacks: packs that expand, that do not end, or that are malformed take no more memory than the limits say.
func TestPacks(t *testing.T) {
	limits := Limits{Received: 4 << 20, Unpacked: 32 << 20, File: 4 << 20}
	base := bytes.Repeat([]byte("b"), 1<<16)
	var bomb, chain, inflated, declared, late, forward pack
	at := bomb.object(plumbing.BlobObject, len(base), "", base)
	for range 1000 { // 60 bytes each, which become 4 MB
		bomb.object(plumbing.OFSDeltaObject, len(copies(len(base), 63)), offset(bomb.Len()+12-at), copies(len(base), 63))
	}
	size, at := 1<<16, chain.object(plumbing.BlobObject, len(base), "", base)
	for range 20 { // each is twice the one before, and more
		text := copies(size, 2*size>>16)
		size *= 2
		at = chain.object(plumbing.OFSDeltaObject, len(text), offset(chain.Len()+12-at), text)
	}
	inflated.object(plumbing.BlobObject, 10, "", make([]byte, 64<<20))
	declared.object(plumbing.BlobObject, 1<<50, "", []byte("x"))
	late.object(plumbing.REFDeltaObject, len(copies(1<<16, 1)), strings.Repeat("x", 20), copies(1<<16, 1))
	forward.object(plumbing.OFSDeltaObject, len(copies(1<<16, 1)), offset(3), copies(1<<16, 1))
	huge := append(binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), 1<<32-1), 0x30)
	for name, tc := range map[string]struct {
		body func(io.Writer)
		want error
	}{
		"deltas of one base":            {func(w io.Writer) { _, _ = w.Write(bomb.text()) }, ErrLimit},
		"a chain of deltas":             {func(w io.Writer) { _, _ = w.Write(chain.text()) }, ErrLimit},
		"inflates to more than it says": {func(w io.Writer) { _, _ = w.Write(inflated.text()) }, ErrRepository},
		"says that it is large":         {func(w io.Writer) { _, _ = w.Write(declared.text()) }, ErrLimit},
		"a base that does not come":     {func(w io.Writer) { _, _ = w.Write(late.text()) }, ErrRepository},
		"a base that is no object":      {func(w io.Writer) { _, _ = w.Write(forward.text()) }, ErrRepository},
		"four billion objects":          {func(w io.Writer) { _, _ = w.Write(huge) }, ErrLimit},
		"no pack":                       {func(w io.Writer) { _, _ = io.WriteString(w, "hello") }, ErrRepository},
		"no commit":                     {func(w io.Writer) { _, _ = w.Write(new(pack).text()) }, ErrRepository},
		"endless": {func(w io.Writer) {
			var one pack
			one.object(plumbing.BlobObject, 1, "", []byte("x"))
			_, _ = w.Write(binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), 80_000))
			many := bytes.Repeat(one.Bytes(), 1000)
			for {
				if _, err := w.Write(many); err != nil {
					return
				}
			}
		}, nil},
		"endless data of one object": {func(w io.Writer) {
			_, _ = w.Write(binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), 1))
			_, _ = w.Write([]byte{0xb0, 0x10, 0x78, 0x01})
			for { // stored blocks of zlib without data
				if _, err := w.Write(bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 1000)); err != nil {
					return
				}
			}
		}, ErrLimit},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, serve(tc.body), limits)
			before := allocated()
			_, into, err := r.clone(t, Request{URL: "/repo.git"})
			took := allocated() - before
			t.Logf("%v; %d MB allocated", err, took>>20)
			if err == nil || tc.want != nil && !errors.Is(err, tc.want) || len(contents(t, into)) > 0 {
				t.Errorf("%v, want %v", err, tc.want)
			}
			if most := uint64(4*limits.Unpacked + 16<<20); took > most {
				t.Errorf("%d MB were allocated, want %d at most", took>>20, most>>20)
			}
		})
	}
}

// allocated is how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestManyRefs: the list of refs of a server is bounded too.
func TestManyRefs(t *testing.T) {
	r := newRig(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "001e# service=git-upload-pack\n0000")
		line := strings.Repeat("ab", 20) + " HEAD\x00shallow"
		fmt.Fprintf(w, "%04x%s", len(line)+4, line)
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(w, "%04x%s refs/heads/%09d", 4+40+1+11+9, strings.Repeat("ab", 20), i); err != nil {
				return
			}
		}
	}), Limits{})
	if _, _, err := r.clone(t, Request{URL: "/repo.git"}); !errors.Is(err, errRefs) {
		t.Error(err)
	}
}

// FuzzPack: no pack makes the reader panic, or keep more than the limit.
func FuzzPack(f *testing.F) {
	var good pack
	base := bytes.Repeat([]byte("b"), 1<<16)
	at := good.object(plumbing.BlobObject, len(base), "", base)
	good.object(plumbing.OFSDeltaObject, len(copies(len(base), 2)), offset(good.Len()+12-at), copies(len(base), 2))
	good.object(plumbing.TreeObject, 3, "", []byte("100"))
	f.Add(good.text())
	f.Add(good.text()[:100])
	limits := Limits{Unpacked: 1 << 20, File: 1 << 19, Files: 100}
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := readPack(context.Background(), bytes.NewReader(text), limits)
		if err != nil {
			return
		}
		total := 0
		for hash, it := range o.byHash {
			total += len(it.data)
			p := plan{limits: limits, objects: o}
			_ = p.commit(hash)
		}
		if total > int(limits.Unpacked) {
			t.Errorf("%d bytes are kept", total)
		}
	})
}
