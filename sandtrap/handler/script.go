package handler

import (
	_ "embed"
	"fmt"
	"go/token"
	"strconv"
	"strings"
)

// serveSource is what the session of the script gets: a ResponseWriter that keeps a response, and the function that the
// host calls. It is metered like the script.
//
//go:embed serve.go.txt
var serveSource string

// Names that serveSource declares.
const (
	serveName   = "sandtrapCall"
	moreName    = "sandtrapMore"
	problemName = "sandtrapProblem"
)

// part is how many bytes of a body one call hands out: the results of a call have a bound of a mebibyte.
const part = 512 << 10

// cell is serveSource for the handler with this name.
func cell(name string) (string, error) {
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("handler: %q is not the name of a variable or a function", name)
	}
	return strings.NewReplacer("HANDLER", name, "PART", strconv.Itoa(part)).Replace(serveSource), nil
}
