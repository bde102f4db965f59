// Package base64core says how a value is recognised within texts of base64.
//
// It may not import another package of the module, or decode anything.
package base64core

import (
	"encoding/base64"
	"strings"
)

// Of are the texts of which each text of base64 has one that encodes v, or more with v in it, in the alphabets of RFC 4648. They are
// the digits that depend on v alone, for each of the three places that v may have in groups of three bytes.
func Of(v string) (cores []string) {
	for offset := range 3 { // of v in a group of three bytes
		first := (offset*8 + 5) / 6         // the first digit that is of v alone
		last := ((offset + len(v)) * 8) / 6 // the one after the last
		text := base64.StdEncoding.EncodeToString(append(make([]byte, offset), v...))[first:last]
		cores = append(cores, text)
		if url := strings.NewReplacer("+", "-", "/", "_").Replace(text); url != text {
			cores = append(cores, url)
		}
	}
	return cores
}
