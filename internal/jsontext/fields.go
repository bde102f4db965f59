package jsontext

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// A StructField is a field of a struct. T is what a caller has for types.
type StructField[T comparable] struct {
	Name               string
	Tag                string // what that says under the key json
	Embedded, Exported bool

	// Struct is the struct type that the field has, or that its type, a pointer without a name, leads to. Of other
	// fields it is the zero T.
	Struct T
}

// A Field is one that encoding/json reads and writes.
type Field struct {
	Name   string // in JSON
	Tagged bool   // has the name from a tag
	Path   []int  // of indexes, from the outermost struct, through pointers

	OmitEmpty, OmitZero, Quoted bool // options of the tag; what Quoted is for, the type decides
}

// Fields are those of t, in order, as encoding/json sees them: those of embedded structs are fields of t, the less deep
// one hides others of its name, and of equally deep ones the one named by its tag does, or there is none. of gives
// the fields that a struct has itself.
func Fields[T comparable](t T, of func(T) []StructField[T]) []Field {
	return dominant(candidates(t, of))
}

// fieldTag is the name that a tag gives, which may be empty, with the options of it; ok is false for a field that is
// to be left out.
func fieldTag(tag string) (f Field, ok bool) {
	if tag == "-" {
		return Field{}, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	options = "," + options + ","
	has := func(option string) bool { return strings.Contains(options, ","+option+",") }
	return Field{Name: name, Tagged: name != "", OmitEmpty: has("omitempty"), OmitZero: has("omitzero"), Quoted: has("string")}, true
}

func validName(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

// An embeddedStruct is one whose fields are to be looked at.
type embeddedStruct[T comparable] struct {
	t    T
	path []int
}

// candidates are all fields at all depths, level by level; those of a type that
// occurs twice in a level, twice.
func candidates[T comparable](t T, of func(T) []StructField[T]) (found []Field) {
	visited := map[T]bool{}
	level, times := []embeddedStruct[T]{{t: t}}, map[T]int{}
	for len(level) > 0 {
		var next []embeddedStruct[T]
		nextTimes := map[T]int{}
		for _, s := range level {
			if visited[s.t] {
				continue
			}
			visited[s.t] = true
			for i, sf := range of(s.t) {
				path := append(slices.Clip(slices.Clone(s.path)), i)
				f, inner, ok := newField(sf)
				switch f.Path = path; {
				case inner:
					if nextTimes[sf.Struct]++; nextTimes[sf.Struct] == 1 {
						next = append(next, embeddedStruct[T]{sf.Struct, path})
					}
				case ok:
					found = append(found, f)
					if times[s.t] > 1 {
						found = append(found, f)
					}
				}
			}
		}
		level, times = next, nextTimes
	}
	return found
}

// newField is what sf is in JSON; inner says that the fields of its struct count in its place. Neither is so if it does not count.
func newField[T comparable](sf StructField[T]) (f Field, inner, ok bool) {
	var none T
	embedded := sf.Embedded && sf.Struct != none
	if !sf.Exported && !embedded {
		return f, false, false
	}
	f, ok = fieldTag(sf.Tag)
	if !ok || f.Name == "" && embedded {
		return f, ok, false
	}
	f.Name = cmp.Or(f.Name, sf.Name)
	return f, false, true
}

// dominant decides between fields of the same name: the least deep one counts,
// then the one named by its tag, and none if that leaves two.
func dominant(found []Field) (list []Field) {
	sort.Slice(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(len(a.Path), len(b.Path)), taggedFirst(a, b), slices.Compare(a.Path, b.Path)) < 0
	})
	for i, f := range found {
		if i > 0 && found[i-1].Name == f.Name {
			continue
		}
		next := Field{}
		if i+1 < len(found) {
			next = found[i+1]
		}
		if next.Name != f.Name || len(next.Path) > len(f.Path) || next.Tagged != f.Tagged {
			list = append(list, f)
		}
	}
	sort.Slice(list, func(i, j int) bool { return slices.Compare(list[i].Path, list[j].Path) < 0 })
	return list
}

func taggedFirst(a, b *Field) int {
	switch {
	case a.Tagged == b.Tagged:
		return 0
	case a.Tagged:
		return -1
	}
	return 1
}
