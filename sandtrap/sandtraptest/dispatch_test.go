package sandtraptest

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestOwnInterfaceOverHost: a method of the host that is called through an interface
// of the script, or promoted by a struct of it, is what the policy makes of it:
// charged, replaced, or not there.
func TestOwnInterfaceOverHost(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      error
	}{
		{"charged", "type w interface{ Write([]byte) (int, error) }\nvar x w = new(bytes.Buffer)\np := make([]byte, 1<<20)\nfor { x.Write(p) }", sandtrap.KindMemory},
		{"charged when promoted", "type s struct{ *bytes.Buffer }\ntype w interface{ Write([]byte) (int, error) }\nvar x w = s{new(bytes.Buffer)}\np := make([]byte, 1<<20)\nfor { x.Write(p) }", sandtrap.KindMemory},
		{"charged when the host calls it", "type s struct{ *bytes.Buffer }\nx := s{new(bytes.Buffer)}\np := string(make([]byte, 1<<20))\nfor { fmt.Fprint(x, p) }", sandtrap.KindMemory},
		{"replaced", "type l interface{ Lock() }\nvar x l = new(sync.Mutex)\nx.Lock()\nx.Lock()", sandtrap.KindDeadlock},
		{"replaced when promoted", "type s struct{ sync.Mutex }\nvar x sync.Locker = new(s)\nx.Lock()\nx.Lock()", sandtrap.KindDeadlock},
		{"deferred", "type l interface{ Lock(); Unlock() }\nvar x l = new(sync.Mutex)\nfunc() { x.Lock(); defer x.Unlock() }()\nx.Lock()\nr := 1", nil},
		{"a method value", "type l interface{ Lock(); Unlock() }\nvar x l = new(sync.Mutex)\nlock, unlock := x.Lock, x.Unlock\nlock(); unlock(); lock()\nr := 1", nil},
		{"a logger", "type logger interface{ Info(string, ...any) }\ntype e struct{ N int }\nfunc (e) Error() string { return \"text\" }\nvar b strings.Builder\nvar l logger = slog.New(slog.NewJSONHandler(&b, nil))\nl.Info(\"m\", \"err\", e{1})\nr := strings.Count(b.String(), `\"err\":\"text\"`)", nil},
		{"promoted twice", "type s struct{ strings.Builder }\ntype u struct{ *s; n int }\nvar x fmt.Stringer = u{s: &s{}}\nx.(u).WriteString(\"ab\")\nr := len(x.String())/2", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.Dispatches {
					return
				}
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: limits}
				p.Limits.Ticks *= 100 // work in one go is ticks too
				res, err := b.RunOnce(p, tc.src)
				if !errors.Is(err, tc.want) || tc.want == nil && (err != nil || res.Vars["r"] != 1) {
					b.Errorf("got %v, error %v, want %v", res.Vars["r"], err, tc.want)
				}
			})
		})
	}
}
