package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/command.md")

// TestCommandPage: docs/command.md is what the command says of itself; go test ./cmd/internal/cli -run TestCommandPage
// -update writes it.
func TestCommandPage(t *testing.T) {
	var want strings.Builder
	want.WriteString("# The command\n\nThe output of `sandtrap help` and `sandtrap help COMMAND`.\n")
	for _, name := range append([]string{""}, commandNames()...) {
		if name == "help" {
			continue
		}
		var out bytes.Buffer
		if code := Main([]string{"help", name}[:1+min(1, len(name))], strings.NewReader(""), &out, &out); code != exitOK {
			t.Fatalf("help %s: %d", name, code)
		}
		if title := strings.TrimSpace("sandtrap " + name); !strings.HasPrefix(out.String(), title) {
			t.Errorf("the page of %q begins with %.30q", name, out.String())
		}
		want.WriteString("\n## sandtrap " + name)
		if name == "" {
			want.WriteString("help")
		}
		want.WriteString("\n\n```\n" + out.String() + "```\n")
	}
	const page = "../../../docs/command.md"
	if *update {
		if err := os.WriteFile(page, []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want.String() {
		t.Errorf("docs/command.md is not what the command prints, %v: go test ./cmd/internal/cli -run TestCommandPage -update", err)
	}
}

// TestQuickstart: the commands of docs/quickstart.md end as it says.
func TestQuickstart(t *testing.T) {
	text, err := os.ReadFile("../../../docs/quickstart.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^    echo '(.*)' \| sandtrap (.*)$`).FindAllStringSubmatch(string(text), -1) {
		var out, failed bytes.Buffer
		code := Main(strings.Fields(m[2]), strings.NewReader(m[1]), &out, &failed)
		got = append(got, fmt.Sprintf("%d %s", code, strings.TrimSpace(out.String())))
	}
	if want := []string{`0 "ababab" // string`, "2 ", "3 "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
