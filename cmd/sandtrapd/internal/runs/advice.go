package runs

import (
	"encoding/json"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// ways are hints of errors that the library has none for: who embeds it knows its limits.
var ways = map[sandtrap.Kind]string{
	sandtrap.KindTimeout: "do less in one run, or in several; timeout_ms gives less time than the policy does, and not more, so more needs another policy",
	sandtrap.KindMemory:  "keep less at a time; more memory needs another policy",
	sandtrap.KindDepth:   "check that the recursion ends, or use a loop; the policy bounds the depth and the memory",
}

// noNetwork begins what the library says of a policy without a network, in the words of its hosts and of its command.
const noNetwork = "this policy has no Network (--net in the command)"

// advised is an error of a script, with these inputs, with what a client of the service can do about it.
func advised(e *sandtrap.Error, inputs map[string]json.RawMessage) *sandtrap.Error {
	if e == nil {
		return nil
	}
	own := *e
	own.More = nil
	for _, one := range e.More {
		own.More = append(own.More, advised(one, inputs))
	}
	if own.Hint == "" {
		own.Hint = ways[own.Kind]
	}
	if before, _, ok := strings.Cut(own.Message, noNetwork); ok {
		own.Message = before + "this policy allows no requests; another policy of the server may, by its key network"
	}
	if name, ok := strings.CutPrefix(own.Message, "undefined: "); ok {
		if input := nearInput(name, inputs); input != "" {
			own.Hint = "did you mean the input " + input + "?"
		}
	}
	return &own
}

// nearInput is the input that has a name in other letters, large or small; empty if there is none.
func nearInput(name string, inputs map[string]json.RawMessage) string {
	for input := range inputs {
		if strings.EqualFold(input, name) {
			return input
		}
	}
	return ""
}
