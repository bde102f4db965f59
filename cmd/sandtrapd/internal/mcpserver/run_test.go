package mcpserver_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestRun: a model reads what a script prints, and of a faulty one the line, the place and the right name.
func TestRun(t *testing.T) {
	r := newRig(t, nil)
	each(t, func(t *testing.T, protocol string) {
		c := connect(t, r.transport("alpha"), protocol, nil)
		res := c.call(t, "run", map[string]any{"code": "fmt.Println(n * 2)", "inputs": map[string]any{"n": 21}})
		if got := text(res); got != "42\n" || res.IsError {
			t.Errorf("%q", got)
		}
		if o := outputOf(t, res); o.State != "done" || o.Result == nil || o.Result.Stdout != "42\n" || !strings.HasPrefix(o.ID, "run_") {
			t.Errorf("%+v", o)
		}
		res = c.call(t, "run", map[string]any{"code": "x := strings.ToUper(\"a\")\nfmt.Println(x)"})
		want := "error (type):\nline 1, column 14: there is no strings.ToUper (did you mean strings.ToUpper?)\nx := strings.ToUper(\"a\")\n             ^\n"
		if got := text(res); got != want || !res.IsError {
			t.Errorf("got %q, want %q", got, want)
		}
		res = c.call(t, "run", map[string]any{"code": "func f(a []int) int { return a[3] }\nfmt.Println(\"before\")\nf(nil)"})
		if got := text(res); !strings.HasPrefix(got, "stdout:\nbefore\nerror (panic):\nline 1, column 30: ") || !strings.HasSuffix(got, "in main.f, line 1\nin main.main, line 3\n") {
			t.Errorf("%q", got)
		}
		res = c.call(t, "run", map[string]any{"code": `return 6 * 7`})
		if got := text(res); got != "= 42 (int)\n" {
			t.Errorf("%q", got)
		}
		for _, args := range []map[string]any{{}, {"code": " "}, {"code": "1", "cod": 2}, {"code": 1}, {"code": "1", "policy": "other"}, {"code": "1", "session": "s"}, {"code": "1", "inputs": map[string]any{"a": nil}}} {
			if res := c.call(t, "run", args); !res.IsError {
				t.Errorf("%v: no error: %s", args, text(res))
			}
		}
	})
}

// TestPictures: a picture that a script makes is one for the client, other files are resources.
func TestPictures(t *testing.T) {
	c := connect(t, newRig(t, nil).transport("alpha"), "", nil)
	res := c.call(t, "run", map[string]any{"code": `var b bytes.Buffer
png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2)))
artifact("a.png", b.Bytes())
artifact("a.txt", []byte("hello"))`})
	if len(res.Content) != 3 {
		t.Fatalf("%d parts: %s", len(res.Content), text(res))
	}
	if p, ok := res.Content[1].(*mcp.ImageContent); !ok || p.MIMEType != "image/png" || !strings.HasPrefix(string(p.Data), "\x89PNG") {
		t.Errorf("%+v", res.Content[1])
	}
	if f, ok := res.Content[2].(*mcp.EmbeddedResource); !ok || f.Resource.Text != "hello" {
		t.Errorf("%+v", res.Content[2])
	}
}

// TestProgress: output comes while the run goes on.
func TestProgress(t *testing.T) {
	r := newRig(t, nil)
	each(t, func(t *testing.T, protocol string) {
		c := connect(t, r.transport("alpha"), protocol, nil)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			p := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": "fmt.Println(\"first\")\nfor {}", "timeout_ms": 50_000}}
			p.SetProgressToken("token")
			_, err := c.CallTool(ctx, p)
			ended <- err
		}()
		if got := <-c.progress; got != "first\n" {
			t.Errorf("%q", got)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		until(t, "the run is cancelled", func() bool {
			list, _, err := r.store.Runs(t.Context(), store.Query{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			return len(list) == 1 && list[0].State == store.Cancelled
		})
	})
}
