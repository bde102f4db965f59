package builtins

import (
	gogob "encoding/gob"

	"github.com/sandtrap-go/sandtrap/internal/gob"
)

var stdEncodingGob = Package{
	Path: "encoding/gob",
	scan: true,
	Members: []Member{
		{Name: "Decoder", Value: (*gob.Decoder)(nil), With: "Decode", Handle: true, Why: "Go's own finds nothing in values of a script"},
		{Name: "Encoder", Value: (*gob.Encoder)(nil), With: "Encode", Handle: true, Why: "Go's own finds nothing in values of a script; the bytes are not those of Go"},
		{Name: "GobDecoder", Value: (*gogob.GobDecoder)(nil)},
		{Name: "GobEncoder", Value: (*gogob.GobEncoder)(nil)},

		{Name: "NewDecoder", Value: gobNewDecoder},
		{Name: "NewEncoder", Value: gobNewEncoder},
		{Name: "Register", Value: gobRegister, Why: "each run has its own names"},
		{Name: "RegisterName", Value: gobRegisterName, Why: "each run has its own names"},
	},
	Denied: []Denial{
		{Names: "CommonType", Why: "is of no use outside of encoding/gob"},
		{Names: "Decoder.DecodeValue Encoder.EncodeValue", Why: "scripts have no values of package reflect", Instead: "Decode and Encode"},
	},
}
