package engine

import (
	"reflect"
	"strings"
)

// HostWants begins what Wants says.
const HostWants = "the host wants "

// maxWanted is how many fields of a struct Wants lists.
const maxWanted = 20

// Wants says what can be decoded into what into points to, without names of the host's: for who wrote a script whose value
// does not fit.
func Wants(into any) string {
	rt := reflect.TypeOf(into)
	if rt == nil || rt.Kind() != reflect.Pointer {
		return ""
	}
	rt = rt.Elem()
	before := ""
	for {
		switch {
		case ReadsJSON(rt) || ReadsText(rt):
			return ""
		case rt.Kind() == reflect.Pointer:
		case rt.Kind() == reflect.Slice && len(before) < maxWanted:
			before += "[]"
		case rt.Kind() == reflect.Struct && rt.PkgPath() != "time":
			return HostWants + "a " + before + "struct or " + before + "map[string]any with " + wantedFields(rt)
		default:
			return HostWants + before + shape(rt)
		}
		rt = rt.Elem()
	}
}

func wantedFields(rt reflect.Type) string {
	var list []string
	for i, f := range hostFields(rt) {
		if i == maxWanted {
			list = append(list, "...")
			break
		}
		text := f.Name + " " + strings.ReplaceAll(shape(f.typ), "a struct", "struct")
		if f.optional {
			text += " (may be missing)"
		}
		list = append(list, text)
	}
	if list == nil {
		return "no fields"
	}
	return strings.Join(list, ", ")
}
