package docs

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestEngineIsImported: a program has the interpreter only if it asks for it, and is told how to.
func TestEngineIsImported(t *testing.T) {
	const pkg = "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
	_, err := sandtrap.Compile(sandtrap.Policy{Engine: "yaegi"})
	if !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), `import _ "`+pkg+`"`) {
		t.Errorf("without the import: %v", err)
	}
	links := func(pkg string) bool {
		out, err := exec.Command("go", "list", "-deps", pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(strings.Fields(string(out)), func(dep string) bool { return strings.HasPrefix(dep, "github.com/traefik/yaegi/") })
	}
	if !links(pkg) {
		t.Error("the package does not bring the interpreter")
	}
	if links("github.com/sandtrap-go/sandtrap/sandtrap") || links("github.com/sandtrap-go/sandtrap/sandtrap/worker") {
		t.Error("hosts that do not import the package link the interpreter")
	}
}
