package hostwrite

import (
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"testing"
	"unicode"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// handed is memory of the process in forms in which no row gives it, as functions of the host.
func handed() sandtrap.Policy {
	p := standard()
	p.Funcs = map[string]any{
		"ranges": func() []unicode.Range16 { return unicode.Letter.R16 }, "first": func() *unicode.Range16 { return &unicode.Letter.R16[0] },
		"low": func() *uint16 { return &unicode.Letter.R16[0].Lo }, "offset": func() *int { return &unicode.Letter.LatinOffset },
		"cases": func() []unicode.CaseRange { return unicode.CaseRanges }, "oneCase": func() *unicode.CaseRange { return &unicode.CaseRanges[0] },
		"special": func() unicode.SpecialCase { return unicode.TurkishCase }, "delta": func() *[3]rune { return (*[3]rune)(&unicode.CaseRanges[0].Delta) },
		"scripts": func() map[string]*unicode.RangeTable { return unicode.Scripts }, "entities": func() map[string]string { return xml.HTMLEntity },
		"closed": func() []string { return xml.HTMLAutoClose }, "numbers": func() []uint32 { return crc32.IEEETable[:] },
		"number": func() *uint32 { return &crc32.IEEETable[3] }, "print": func() []*unicode.RangeTable { return unicode.PrintRanges },
		"record": func() *record { return &record{Scripts: unicode.Scripts, Closed: xml.HTMLAutoClose} },
		"anything": func() []any {
			return []any{unicode.Letter.R16, unicode.Scripts, &unicode.CaseRanges[1], xml.HTMLEntity, &crc32.IEEETable[4]}
		},
	}
	p.Packages = []sandtrap.Package{{Path: "corp/r", Members: map[string]any{"Record": (*record)(nil)}}}
	return p
}

// A record is the host's, and what is in it the process's.
type record struct {
	Scripts map[string]*unicode.RangeTable
	Closed  []string
}

// TestHanded: a host that hands out memory of the process lets no script write to it either.
func TestHanded(t *testing.T) {
	before := digests(processShares(t))
	for name := range handed().Funcs {
		t.Run(name, func(t *testing.T) {
			res, err := run(t, handed(), fmt.Sprintf("import (\"unicode\"; \"corp/r\"; %s)\nvar _ unicode.Range16; var _ r.Record\n%s\nattack(%s())", attackImports, attack, name))
			if tried, _ := res.Vars["tried"].(int); err != nil || tried < 60 {
				t.Errorf("%d things were tried: %v", tried, err)
			}
			if d := differing(before, digests(processShares(t))); len(d) > 0 {
				before = digests(processShares(t))
				t.Fatalf("other values now: %v", d)
			}
		})
	}
}

// TestHandedStatements: nor with statements.
func TestHandedStatements(t *testing.T) {
	before := digests(processShares(t))
	for _, s := range []string{
		"r := ranges(); r[0] = r[1]", "r := ranges(); r[0].Lo = 7", "r := ranges(); p := &r[0]; p.Lo++", "r := ranges(); p := &r[0]; *p = r[1]",
		"r := ranges(); r[0], r[1] = r[1], r[0]", "clear(ranges())", "r := ranges(); copy(r, r[1:])", "_ = append(ranges()[:0], unicode.Range16{})",
		"_ = append(ranges()[:1], ranges()[5:]...)", "for _, ranges()[0] = range ranges() {}", "first().Lo = 7", "*first() = unicode.Range16{}", "first().Lo++",
		"p := &first().Lo; *p = 7", "*low() = 7", "*low() += 7", "*offset()++", "c := cases(); c[0].Delta[1] = 7", "oneCase().Delta[0]++",
		"oneCase().Delta = [unicode.MaxCase]rune{}", "oneCase().Delta[0], oneCase().Delta[1] = oneCase().Delta[1], oneCase().Delta[0]", "special()[0] = special()[1]",
		"delta()[0] = 7", "*delta() = [3]rune{}", "clear(delta()[:])", "for delta()[0] = range 5 {}", "m := scripts(); m[\"x\"] = nil", "m := scripts(); delete(m, \"Latin\")",
		"clear(scripts())", "r := record(); clear(r.Scripts)", "delete(record().Scripts, \"Latin\")", "record().Closed[0] = \"x\"", "m := entities(); m[\"x\"] = \"y\"", "m := entities(); m[\"lt\"] += \"y\"", "maps.Copy(entities(), map[string]string{\"a\": \"b\"})",
		"maps.DeleteFunc(entities(), func(k, v string) bool { return true })", "c := closed(); c[0] = \"x\"", "sort.Strings(closed())", "slices.Sort(closed())",
		"numbers()[0] = 7", "numbers()[0]++", "slices.Reverse(numbers())", "slices.Sort(numbers())", "*number() = 7", "atomic.AddUint32(number(), 7)",
		"atomic.StoreUint32(&numbers()[0], 7)", "flag.IntVar(offset(), \"x\", 7, \"\")", "fmt.Sscan(\"7\", low())", "fmt.Sscan(\"7\", offset())", "fmt.Sscan(\"7\", &ranges()[0].Lo)",
		"json.Unmarshal([]byte(`{\"Lo\":7}`), first())", "json.Unmarshal([]byte(`[7]`), delta())", "r := ranges(); json.Unmarshal([]byte(`[{\"Lo\":7}]`), &r)",
		"m := entities(); json.Unmarshal([]byte(`{\"a\":\"b\"}`), &m)", "binary.Read(bytes.NewReader(make([]byte, 99)), binary.LittleEndian, first())",
		"binary.Read(bytes.NewReader(make([]byte, 99)), binary.LittleEndian, ranges()[:2])", "binary.Decode(make([]byte, 99), binary.LittleEndian, delta())",
		"f := func(r ...unicode.Range16) { r[0].Lo = 7 }; f(ranges()...)", "type T struct{ R []unicode.Range16 }; x := T{ranges()}; x.R[0].Hi = 7",
		"p := (*[2]unicode.Range16)(ranges()); p[0].Lo = 7", "c := make(chan *unicode.Range16, 1); c <- first(); (<-c).Lo = 7",
		"func() { defer func(p *unicode.Range16) { p.Lo = 7 }(first()) }()", "reflect.ValueOf(cases()).Index(0).Addr().Elem().SetZero()",
		"x := reflect.ValueOf(ranges()).Index(0).Addr().Interface().(*unicode.Range16); x.Lo = 7", "reflect.Indirect(reflect.ValueOf(first())).Set(reflect.ValueOf(unicode.Range16{}))",
		"reflect.Copy(reflect.ValueOf(ranges()), reflect.ValueOf(make([]unicode.Range16, 3)))", "rand.Shuffle(3, reflect.Swapper(ranges()))",
		"sort.Slice(ranges(), func(i, j int) bool { return i > j })", "sort.SliceStable(print(), func(i, j int) bool { return i > j })",
		"slices.SortFunc(ranges(), func(a, b unicode.Range16) int { return 1 })", "_ = slices.DeleteFunc(cases(), func(unicode.CaseRange) bool { return true })",
		"_ = slices.Insert(ranges()[:1], 0, unicode.Range16{})", "_ = slices.Replace(ranges(), 0, 1, unicode.Range16{})", "_ = slices.Compact(closed()[:0:3])",
		"_ = slices.Grow(closed()[:0], 3); _ = append(closed()[:0], \"x\")", "x := unsafe(first()); x.Lo = 7",
	} {
		t.Run(s, func(t *testing.T) {
			src := "import (\"unicode\"; \"reflect\"; \"slices\"; \"maps\"; \"sort\"; \"math/rand\"; \"sync/atomic\"; \"flag\"; \"bytes\"; \"encoding/json\"; \"encoding/binary\")\nvar _ = unicode.Lu; var _ reflect.Kind; var _ = slices.Sort[[]int]; var _ = maps.Keys[map[int]int]; var _ = sort.Ints; var _ = rand.Int; var _ atomic.Int32; var _ = flag.Parse; var _ bytes.Buffer; var _ json.Number; var _ = binary.MaxVarintLen16\nfunc unsafe[T any](p *T) *T { return p }\n" + s
			res, err := run(t, handed(), src)
			if d := differing(before, digests(processShares(t))); len(d) > 0 {
				before = digests(processShares(t))
				t.Fatalf("other values now: %v", d)
			}
			if errors.Is(err, sandtrap.ErrRefused) {
				t.Errorf("%v", res.Error)
			}
		})
	}
}
