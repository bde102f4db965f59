package std

import (
	_ "embed"
	"strings"
	"sync"
)

//go:generate go test ../.. -run TestParamNames -update

// A line is a package, or a function or method of the last one with the names of its parameters.
//
//go:embed params.txt
var paramsText string

var params = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	path := ""
	for line := range strings.Lines(paramsText) {
		words := strings.Fields(line)
		if line[0] != ' ' {
			path = words[0]
			continue
		}
		all[path+"."+words[0]] = words[1:]
	}
	return all
})

// ParamNames are the names of the parameters of a function of a package, or of a method "T.M"; nil if it has none, or
// is not known.
func ParamNames(path, name string) []string { return params()[path+"."+name] }
