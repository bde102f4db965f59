package sandtraptest

import (
	"bytes"
	"encoding/gob"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// gobReader decodes a stream from its standard input into every kind of value, and leaves it out.
const gobReader = `
type Inner struct {
	A  []Inner
	M  map[string]*Inner
	I  any
	F  float32
	N  [2]int8
	T  time.Time
	Up *Inner
}

func main() {
	gob.Register(Inner{})
	gob.Register([]any{})
	text, _ := io.ReadAll(os.Stdin)
	for _, into := range []func() any{
		func() any { return nil },
		func() any { return new(Inner) },
		func() any { return new(any) },
		func() any { return new([]any) },
		func() any { return new(map[string]Inner) },
		func() any { return new([]map[string][]int) },
		func() any { return new([4]complex64) },
		func() any { return new([]byte) },
		func() any { return new(string) },
		func() any { return new(uint8) },
		func() any { return new(big.Int) },
	} {
		d := gob.NewDecoder(bytes.NewReader(text))
		for range 50 {
			if d.Decode(into()) != nil {
				break
			}
		}
	}
}
`

// gobStreams are what compiled Go writes.
func gobStreams(f *testing.F) (streams [][]byte) {
	type inner struct {
		A  []inner
		M  map[string]*inner
		I  any
		F  float32
		N  [2]int8
		T  time.Time
		Up *inner
	}
	gob.RegisterName("main.Inner", inner{})
	gob.Register([]any{})
	one := inner{A: []inner{{F: 1}}, M: map[string]*inner{"m": {N: [2]int8{1, 2}}}, I: inner{I: 3}, T: time.Unix(1, 2), Up: &inner{F: 2}}
	for _, v := range []any{one, []any{one, "a", 1, []any{2.5}}, map[string]inner{"a": one}, []map[string][]int{{"a": {1}}}, [4]complex64{1i}, []byte("bytes"), "text", uint8(200), struct{ A []int }{[]int{1}}} {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(v); err != nil {
			f.Fatal(err)
		}
		streams = append(streams, b.Bytes())
	}
	return streams
}

// FuzzGob gives a script streams of gob that nobody has written. The host goes on, the run ends in time, keeps to its memory,
// and what is wrong is an error of the script.
func FuzzGob(f *testing.F) {
	for _, s := range gobStreams(f) {
		f.Add(s)
	}
	f.Add([]byte{0xfc, 0x3f, 0xff, 0xff, 0xff, 1})             // a message of a GB, which does not come
	f.Add([]byte{7, 0xff, 0x81, 2, 1, 2, 0xff, 0x82, 0, 1, 2}) // a slice of slices of itself
	limits := sandtrap.Limits{Ticks: 500_000, Timeout: time.Second, Memory: 32 << 20}
	box, err := sandtrap.New(f.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: limits})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { box.Close() })
	f.Fuzz(func(t *testing.T, stream []byte) {
		start := time.Now()
		res, err := box.Run(t.Context(), sandtrap.Script{Text: gobReader, Stdin: bytes.NewReader(stream)})
		if err != nil && res.Error == nil {
			t.Fatalf("no result: %v", err)
		}
		bounded := []sandtrap.Kind{sandtrap.KindTicks, sandtrap.KindMemory, sandtrap.KindTimeout, sandtrap.KindDepth}
		if e := res.Error; e != nil && !slices.Contains(bounded, e.Kind) {
			t.Errorf("%x: %s: %s", stream, e.Kind, e.Message)
		}
		if took := time.Since(start); took > limits.Timeout+2*slack {
			t.Errorf("took %v", took)
		}
	})
}
