package record

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Use is what a run could reach, and what it has used up.
type Use struct {
	Standard  Names   `json:"standard,omitempty"` // import paths and members of the standard library, as in decide.Used
	Host      []Reach `json:"host,omitempty"`     // members of the host
	Own       bool    `json:"own,omitempty"`      // the script has packages of its own, from the files
	Peak      int64   `json:"peak_bytes,omitempty"`
	Output    int64   `json:"output_bytes,omitempty"`
	Artifacts int64   `json:"artifact_bytes,omitempty"`
}

// A Reach is a member of the host, with what it declares.
type Reach struct {
	Name     string       `json:"name"`
	Risk     decide.Risk  `json:"risk,omitempty"`
	Requires Names        `json:"requires,omitempty"`
	Class    decide.Class `json:"class,omitempty"`
	Cost     int64        `json:"cost,omitempty"`
}

// Names are keys of an object in JSON, with the value 1. In a list a Redactor takes one like "Decoder.Token" for the name of a secret
// that follows.
type Names []string

// MarshalJSON writes the object.
func (n Names) MarshalJSON() ([]byte, error) {
	object := make(map[string]int, len(n))
	for _, name := range n {
		object[name] = 1
	}
	return json.Marshal(object)
}

// UnmarshalJSON reads the keys, sorted, whatever their values are.
func (n *Names) UnmarshalJSON(text []byte) error {
	var object map[string]json.RawMessage
	err := json.Unmarshal(text, &object)
	*n = slices.Sorted(maps.Keys(object))
	return err
}
