package sandtraptest

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// gobMessage is what the streams below are written with, in scripts.
const gobMessage = `
func message(b ...byte) []byte {
	n := len(b)
	return append([]byte{0xfc, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, b...)
}

// slice65 defines type 65, a slice of type elem (as the format writes a small int: doubled).
func slice65(elem byte) []byte { return message(0xff, 0x81, 2, 1, 2, 0xff, 0x82, 0, 1, elem, 0, 0) }

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
`

// TestGobStreams: streams that were made to harm end within the limits of the run, not those of the process.
func TestGobStreams(t *testing.T) {
	for _, tc := range []struct {
		name, main string
		want       sandtrap.Kind
	}{
		{"a message of 80 MB", `
			r := io.MultiReader(bytes.NewReader([]byte{0xfc, 5, 0, 0, 0}), zeros{})
			fmt.Println(gob.NewDecoder(r).Decode(nil))`, sandtrap.KindMemory},
		{"a list of 2^29 interfaces", `
			var l []any
			b := append(slice65(0x10), message(0xff, 0x82, 0, 0xfc, 0x20, 0, 0, 0)...)
			fmt.Println(gob.NewDecoder(bytes.NewReader(b)).Decode(&l))`, sandtrap.KindMemory},
		{"lists in lists, left out", `
			b := message(0xff, 0x81, 2, 1, 2, 0xff, 0x82, 0, 1, 0xff, 0x82, 0, 0)
			deep := append([]byte{0xff, 0x82, 0}, bytes.Repeat([]byte{1}, 1<<20)...)
			b = append(b, message(deep...)...)
			fmt.Println(gob.NewDecoder(bytes.NewReader(b)).Decode(nil))`, sandtrap.KindDepth},
		{"lists in lists", `
			type list []list
			b := message(0xff, 0x81, 2, 1, 2, 0xff, 0x82, 0, 1, 0xff, 0x82, 0, 0)
			deep := append([]byte{0xff, 0x82, 0}, bytes.Repeat([]byte{1}, 1<<20)...)
			b = append(b, message(deep...)...)
			var l list
			fmt.Println(gob.NewDecoder(bytes.NewReader(b)).Decode(&l))`, sandtrap.KindDepth},
	} {
		t.Run(tc.name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 64 << 20}})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			res, err := box.Run(t.Context(), sandtrap.Script{Text: gobMessage + "\nfunc main() {\n" + tc.main + "\n}\n"})
			if err == nil || res.Error == nil || res.Error.Kind != tc.want {
				t.Errorf("%v, %q, want %s", err, res.Stdout, tc.want)
			}
		})
	}
}
