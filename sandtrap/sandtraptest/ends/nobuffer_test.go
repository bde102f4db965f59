package ends

import (
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNoBuffer: readers and writers of bufio that have no buffer, because a script has made them by new or as a part of
// something, are not waited for by whoever uses them. In Go each of these goes on for ever, some of them with more
// memory each time.
func TestNoBuffer(t *testing.T) {
	for _, src := range []string{ // those that do not take memory first: without the defence they end the test
		`new(bufio.Writer).WriteString("x")`,
		`new(bufio.Writer).WriteRune('ä')`,
		`f := new(bufio.Writer).WriteString; f("x")`,
		`(*bufio.Writer).WriteString(new(bufio.Writer), "x")`,
		`var s struct { bufio.Writer }; s.WriteString("x")`,
		`bufio.ReadWriter{Writer: new(bufio.Writer)}.WriteString("x")`,
		`rw := &bufio.ReadWriter{Writer: new(bufio.Writer)}; rw.WriteRune('ä')`,
		`io.WriteString(new(bufio.Writer), "x")`,
		`io.WriteString(struct{ *bufio.Writer }{new(bufio.Writer)}, "x")`,
		`io.WriteString(&bufio.ReadWriter{Writer: new(bufio.Writer)}, "x")`,
		`var w io.StringWriter = new(bufio.Writer); w.WriteString("x")`,
		`strings.NewReplacer("a", "b").WriteString(new(bufio.Writer), "xa")`,
		`bufio.NewWriter(new(bufio.Writer)).WriteString(strings.Repeat("x", 10_000))`,
		`bufio.NewWriter(io.MultiWriter(new(bufio.Writer))).WriteString(strings.Repeat("x", 10_000))`,
		`io.WriteString(io.MultiWriter(new(bufio.Writer)), "x")`,
		`defer new(bufio.Writer).WriteString("x")`,
		`done := make(chan bool); go func() { defer close(done); defer func() { recover() }(); new(bufio.Writer).WriteString("x") }(); <-done; panic("bufio")`,
		`new(bufio.Reader).ReadBytes('x')`,
		`new(bufio.Reader).ReadString('x')`,
		`r := bufio.ReadWriter{Reader: new(bufio.Reader)}; r.ReadString('x')`,
		`r := bufio.ReadWriter{Reader: new(bufio.Reader)}; r.ReadBytes('x')`,
	} {
		box := newSandbox(t, sandtrap.Policy{
			Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Timeout: 3 * time.Second, Memory: 64 << 20},
		})
		if _, err := box.Run(t.Context(), sandtrap.Script{Text: src}); err == nil || !strings.Contains(err.Error(), "bufio") && !strings.Contains(err.Error(), "nil pointer") {
			t.Fatalf("%s: %v", src, err)
		}
	}
	box := newSandbox(t, sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm"})
	res, err := box.Run(t.Context(), sandtrap.Script{Text: `
		var w bufio.Writer
		w.Reset(os.Stdout)
		w.WriteString("a")
		w.Flush()
		var r bufio.Reader
		r.Reset(strings.NewReader("b\nc"))
		fmt.Print(r.ReadString('\n'))`})
	if err != nil || res.Stdout != "ab\n<nil>" {
		t.Errorf("with one that Reset has given them: %q, %v", res.Stdout, err)
	}
}
