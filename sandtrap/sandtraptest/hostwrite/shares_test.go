package hostwrite

import (
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"
	"unicode"

	"github.com/sandtrap-go/sandtrap/builtins"
)

// processShares are the variables of Go's library that rows are of, by name, and others of the kind: what Go itself
// has of them, not what scripts are given.
func processShares(t *testing.T) map[string]any {
	t.Helper()
	_ = time.Local.String() // which finds out what it is
	all := map[string]any{
		"time.Local": time.Local, "xml.HTMLEntity": xml.HTMLEntity, "xml.HTMLAutoClose": xml.HTMLAutoClose,
		"Castagnoli": crc32.MakeTable(crc32.Castagnoli), "ISO": crc64.MakeTable(crc64.ISO), "ECMA": crc64.MakeTable(crc64.ECMA),
		"unicode.Categories": unicode.Categories, "unicode.Scripts": unicode.Scripts, "unicode.Properties": unicode.Properties,
		"unicode.FoldCategory": unicode.FoldCategory, "unicode.FoldScript": unicode.FoldScript,
		"unicode.CategoryAliases": unicode.CategoryAliases, "unicode.CaseRanges": unicode.CaseRanges,
		"unicode.GraphicRanges": unicode.GraphicRanges, "unicode.PrintRanges": unicode.PrintRanges,
		"unicode.TurkishCase": unicode.TurkishCase, "unicode.AzeriCase": unicode.AzeriCase,
	}
	listed := 0
	for _, p := range builtins.Std() {
		for _, row := range p.Members {
			v := reflect.ValueOf(row.Value)
			if !row.Deny && v.Kind() == reflect.Pointer && !v.IsNil() {
				all[p.Path+"."+row.Name] = row.Value
				listed++
			}
		}
	}
	if listed < 300 {
		t.Fatalf("only %d variables", listed)
	}
	return all
}

// digests are what is in variables, and in what they lead to, at any depth.
func digests(vars map[string]any) map[string]uint64 {
	out := map[string]uint64{}
	for name, v := range vars {
		h := fnv.New64a()
		digest(h, reflect.ValueOf(v), map[seenAt]bool{})
		out[name] = h.Sum64()
	}
	return out
}

// differing are the names of what is not the same.
func differing(a, b map[string]uint64) (names []string) {
	for name := range a {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

type seenAt struct {
	at uintptr
	t  reflect.Type
}

// digest writes down v. The same memory is written once.
func digest(w io.Writer, v reflect.Value, seen map[seenAt]bool) {
	if !v.IsValid() {
		return
	}
	fmt.Fprint(w, v.Type(), " ")
	switch v.Kind() {
	case reflect.Pointer:
		fmt.Fprint(w, v.Pointer())
		if at := (seenAt{v.Pointer(), v.Type()}); !v.IsNil() && !seen[at] {
			seen[at] = v.Type().Elem().Size() > 0
			digest(w, v.Elem(), seen)
		}
	case reflect.Interface:
		digest(w, v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			digest(w, v.Field(i), seen)
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprint(w, v.Len())
		for i := range v.Len() {
			digest(w, v.Index(i), seen)
		}
	case reflect.Map:
		var parts []string
		for it := v.MapRange(); it.Next(); {
			h := fnv.New64a()
			digest(h, it.Key(), seen)
			digest(h, it.Value(), map[seenAt]bool{})
			parts = append(parts, fmt.Sprint(h.Sum64()))
		}
		slices.Sort(parts)
		fmt.Fprint(w, parts)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprint(w, v.Pointer())
	default:
		fmt.Fprint(w, v, "\n")
	}
}
