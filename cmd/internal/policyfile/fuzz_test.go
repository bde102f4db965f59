package policyfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// FuzzPolicy: a text is a policy file or an error with a line; the network is open if there is a rule, or the mode public.
func FuzzPolicy(f *testing.F) {
	f.Add([]byte(networkFile))
	f.Add([]byte("network: {mode: public}\nlimits: {timeout: 1s}\n"))
	f.Add([]byte(`{"network": {"rules": ["https://a.example"], "secrets": [{"name": "s", "env": "NONE", "hosts": ["a.example"]}]}}`))
	f.Add([]byte("members: {f: {risk: low}}\nguard: {rules: [{name: r, on: [f], when: [{param: n, range: {min: 1}}], do: block, text: x}]}\n"))
	for _, name := range Profiles() {
		text, _ := profile(name)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, opens := range []string{"allow_paths", "dir:", "file"} { // files of this machine
			if bytes.Contains(text, []byte(opens)) {
				return
			}
		}
		file := New(&sandtrap.Policy{})
		if err := file.decode(text); err != nil {
			if !strings.Contains(err.Error(), "line ") && !strings.HasPrefix(err.Error(), "yaml: ") {
				t.Errorf("an error without a line: %v", err)
			}
			return
		}
		gate, err := file.Gate(egress.Options{})
		if err == nil && gate != nil {
			defer gate.Close()
			if n := file.Network; len(n.Rules) == 0 && n.Mode != egress.Public {
				t.Errorf("the network is open with %+v", n)
			}
		}
	})
}
