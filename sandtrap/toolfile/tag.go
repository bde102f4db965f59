package toolfile

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// jsonName is the name of a field in JSON, "-" for one that is not there. A tag that encoding/json would ignore is refused.
func jsonName(field string, tag reflect.StructTag) (name, why string) {
	text, ok := tag.Lookup("json")
	if !ok {
		if strings.Contains(string(tag), "json") {
			why = "it is written `json:\"name\"`"
		}
		return field, why
	}
	name, options, _ := strings.Cut(text, ",")
	if text == "-" {
		return text, ""
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !isTagRune(r) }) {
		return "", fmt.Sprintf("%q is no name in JSON: it is made of letters, digits and signs, without quotes and commas", name)
	}
	for option := range strings.SplitSeq(options, ",") {
		if option != "" && option != "omitempty" && option != "omitzero" && option != "string" {
			return "", fmt.Sprintf("there is no option %q; there are omitempty, omitzero and string", option)
		}
	}
	if name == "" {
		name = field
	}
	return name, ""
}

// isTagRune reports what encoding/json takes in a name that a tag gives.
func isTagRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
}
