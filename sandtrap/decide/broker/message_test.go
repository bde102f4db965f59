package broker

import (
	"encoding/json"
	"testing"
)

// FuzzAnswer: what is taken for an answer that allows is one for who reads its keys as they are.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		`{"id":1,"ruling":{"allow":true}}`, `{"id":1,"ruling":{"allow":false,"Allow":true}}`, `{"id":1,"Ruling":{"allow":true}}`,
		`{"id":1,"ruling":{"allow":true},"ruling":{"allow":false}}`, `{"id":1,"answers":[{"id":1,"verdict":"approve"}]}`,
		`{"id":1,"ruling":{"a\u006clow":true,"ask":null}}`, `{"id":1,"error":"no"}`, `[[[[`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := decodeAnswer(line)
		if err != nil || a.Ruling == nil || !a.Ruling.Allow {
			return
		}
		var plain map[string]any
		if err := json.Unmarshal(line, &plain); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if ruling, _ := plain["ruling"].(map[string]any); ruling["allow"] != true {
			t.Errorf("%q allows", line)
		}
	})
}
