package gob

// A GobEncoder is what encoding/gob calls so. That package would make each program of a host 170 KB larger, and nothing
// else of it is used.
type GobEncoder interface{ GobEncode() ([]byte, error) }

// A GobDecoder is what encoding/gob calls so.
type GobDecoder interface{ GobDecode([]byte) error }
