package sandtraptest

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type job struct {
	Name string
	Run  func() string
}

// TestFunctionFields: a script holds a struct with functions in it, which is no member, and passes it on with them, but
// uses nothing of it. As a member it can be used within the process of the host only.
func TestFunctionFields(t *testing.T) {
	eachMode(t, func(b bench) {
		made := job{"a", func() string { return "run" }}
		p := pure()
		p.Funcs = map[string]any{"get": func() job { return made }, "use": func(j job) string { return j.Name + j.Run() }}
		if res, err := b.RunOnce(p, "fmt.Println(use(get()))"); err != nil || res.Stdout != "arun\n" {
			b.Errorf("passed on: %q, %v", res.Stdout, err)
		}
		if _, err := b.RunOnce(p, "fmt.Println(get().Name)"); err == nil || !strings.Contains(err.Error(), "use nothing of it") {
			b.Errorf("a field: %v", err)
		}
		p.Funcs["Job"] = (*job)(nil)
		p.Engine, p.Isolation = b.Engine, b.Isolation
		_, err := sandtrap.Compile(p)
		if inProcess := b.Isolation == sandtrap.None; inProcess != (err == nil) {
			b.Errorf("a member: %v", err)
		}
	})
}
