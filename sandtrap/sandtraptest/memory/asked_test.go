package memory

import (
	"context"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestAskedFor: who asks for more memory than there is reads how much that was.
func TestAskedFor(t *testing.T) {
	for text, want := range map[string]string{
		"n := 1 << 30\n_ = make([]byte, n)":            "asked for 1024 MiB more",
		"n := 1 << 23\n_ = make([]int, n)":             "asked for 64 MiB more",
		"n := 1 << 60\n_ = make([]byte, n)":            "asked for an impossible number of bytes more",
		"n := 1 << 60\n_ = make([][1 << 10]string, n)": "asked for an impossible number of bytes more",
		"n := 1 << 23\n_ = make(chan int, n)":          "MiB more",
		"_ = strings.Repeat(\"x\", 1 << 30)":           "asked for 1024 MiB more",
	} {
		box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: []string{"strings"}, Limits: sandtrap.Limits{Memory: 10 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		defer box.Close()
		_, err = box.Run(context.Background(), sandtrap.Script{Text: text})
		if err == nil || !strings.Contains(err.Error(), "the program needs more memory than the 10 MiB it may use") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}
