package engine

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// FieldNames are the names by which Vars has the n fields of a struct: those of their tags for JSON, else their own.
// One whose name in JSON another has, or that JSON leaves out, has its own.
func FieldNames(n int, field func(i int) (name, tag string)) []string {
	names := make([]string, n)
	taken := map[string]int{}
	for i := range n {
		name, tag := field(i)
		names[i] = name
		taken[name]++
		if j, _ := jsonName(tag); j != "" && j != name {
			taken[j]++
		}
	}
	for i := range n {
		_, tag := field(i)
		if j, _ := jsonName(tag); j != "" && taken[j] == 1 {
			names[i] = j
		}
	}
	return names
}

// jsonName is the name that a tag gives, if any, and its options.
func jsonName(tag string) (name string, options []string) {
	text := reflect.StructTag(tag).Get("json")
	if text == "-" {
		return "", nil
	}
	list := strings.Split(text, ",")
	return list[0], list[1:]
}

// A hostField is an exported field of a struct of the host's that values are decoded into.
type hostField struct {
	index    int
	name     string // in Vars
	typ      reflect.Type
	optional bool
	own      string // name in Go
}

// hostFields are those of rt but the ones that JSON leaves out.
func hostFields(rt reflect.Type) (list []hostField) {
	names := FieldNames(rt.NumField(), func(i int) (string, string) { return rt.Field(i).Name, string(rt.Field(i).Tag) })
	for i, name := range names {
		f := rt.Field(i)
		if !f.IsExported() || f.Tag.Get("json") == "-" {
			continue
		}
		_, options := jsonName(string(f.Tag))
		optional := f.Type.Kind() == reflect.Pointer || slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
		list = append(list, hostField{i, name, f.Type, optional, f.Name})
	}
	return list
}

// from is the key in keys of the value for f: its name in JSON, in Go, or the one that differs in the case of letters
// alone, as in package encoding/json.
func (f *hostField) from(keys []string) (key string, ok bool) {
	for _, name := range []string{f.name, f.own} {
		if slices.Contains(keys, name) {
			return name, true
		}
	}
	fold := func(key string) bool { return strings.EqualFold(key, f.name) }
	if i := slices.IndexFunc(keys, fold); i >= 0 && !slices.ContainsFunc(keys[i+1:], fold) {
		return keys[i], true
	}
	return "", false
}

// sameLetters reports whether two names differ by case, by what is no letter or digit, or by letters in another order: one
// of them is most probably misspelt.
func sameLetters(a, b string) bool {
	letters := func(s string) string {
		list := []rune(strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s))
		slices.Sort(list)
		return string(list)
	}
	return letters(a) == letters(b)
}

// matched pairs the fields of a struct of the host's with the keys of what is decoded into it. refused reports whether
// a key that no field takes is an error.
func (p *place) matched(rt reflect.Type, keys []string, refused func(key string) bool, each func(f hostField, key string) error) error {
	var names, absent []string
	taken := map[string]bool{}
	for _, f := range hostFields(rt) {
		names = append(names, f.name)
		key, there := f.from(keys)
		switch {
		case there:
			taken[key] = true
			if err := each(f, key); err != nil {
				return err
			}
		case !f.optional:
			return p.field(f.name).error("missing")
		default:
			absent = append(absent, f.name)
		}
	}
	for _, key := range keys {
		misspelt := func(name string) bool { return sameLetters(name, key) }
		if !taken[key] && (refused(key) || slices.ContainsFunc(absent, misspelt)) {
			return p.field(key).error("there is no such field; there are %s", strings.Join(names, ", "))
		}
	}
	return nil
}
