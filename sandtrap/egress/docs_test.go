package egress_test

import (
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocs: the refusals of docs/network.md are those of the gate.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/network.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Refusals\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([^`]+)` \\|$").FindAllStringSubmatch(table, -1)
	if len(rows) != 5 {
		t.Fatalf("%d rows", len(rows))
	}
	l := newLab(t)
	l.names["private.example"] = []netip.Addr{netip.MustParseAddr("10.0.0.1")}
	l.names["metadata.example"] = []netip.Addr{netip.MustParseAddr("169.254.169.254")}
	listed := l.run("GET https://api.github.com/repos/*")
	for _, row := range rows {
		r := listed
		switch row[1] {
		case "without network":
			r = l.run()
		case "a private address", "a metadata service":
			r = l.run("GET http://private.example/**", "GET http://metadata.example/** private")
		}
		if _, _, err := get(r, strings.Fields(row[2])[1]); err == nil || err.Error() != row[2] {
			t.Errorf("%s: %v; the page says %s", row[1], err, row[2])
		}
	}
}
