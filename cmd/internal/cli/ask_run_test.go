package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRunAsk is a person who is asked by run --ask about two calls of a script: what is approved is done, what is denied is not, and
// the script goes on with its error. Of a script that ends in one the exit code says so.
func TestRunAsk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("p.yaml", "guard: {ask: [file.write]}\n")
	write("s.go", `for _, name := range []string{"yes", "no"} {
	err := os.WriteFile("`+dir+`/" + name, []byte(name), 0o600)
	fmt.Println(name, err == nil)
}
if _, err := os.ReadFile("`+dir+`/no"); err != nil {
	os.Exit(7)
}
`)
	s := newScreenOf(t, "sandtrap", func(command string) []string {
		const line = `cd "$1"; "$0" run --policy p.yaml --ask --allow-path "$1:rw" s.go; echo "exit $?"; read end`
		return []string{"sh", "-c", line, command, dir}
	})
	const allow = "\nAllow? [y]es, [n]o, [a]lways (allow all calls of file.write for the rest of the session; what the p\n| olicy refuses stays refused):"
	s.until("/yes\"" + allow)
	s.types("y", "Enter")
	s.until("/no\"" + allow)
	s.types("n", "Enter")
	s.until("refused): n\nyes true\nno false\nexit status 7\n                os.Exit(7)\n                ^\n\nmain.main(...)\n        s.go:6:2\nexit 7")
	if text, err := os.ReadFile(filepath.Join(dir, "yes")); err != nil || string(text) != "yes" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "no")); !os.IsNotExist(err) {
		t.Errorf("what was denied is there: %v", err)
	}
}
