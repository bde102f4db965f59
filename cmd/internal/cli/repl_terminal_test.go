package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A screen is a terminal of tmux's with a program in it.
type screen struct {
	*testing.T
	socket string
}

// newScreen runs a program of TestMain in a terminal.
func newScreen(t *testing.T, program string, args ...string) *screen {
	t.Helper()
	return newScreenOf(t, program, func(command string) []string { return append([]string{command}, args...) })
}

// newScreenOf runs what line makes of the path of such a program.
func newScreenOf(t *testing.T, program string, line func(command string) []string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux")
	}
	dir := t.TempDir()
	command := filepath.Join(dir, program) // by this name the program of the tests is that one
	if err := os.Symlink(os.Args[0], command); err != nil {
		t.Fatal(err)
	}
	s := &screen{t, filepath.Join(dir, "tmux")}
	env := []string{"env", "SANDTRAP_HISTORY=" + filepath.Join(dir, "history"), "NO_COLOR=1"}
	s.tmux(append([]string{"-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "50"}, append(env, line(command)...)...)...)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	return s
}

func (s *screen) tmux(args ...string) string {
	s.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// types sends keys, each a text or the name of a key. It looks whether a text arrives that comes first, and sends it again if
// not: on a busy machine the terminal is made ready some time after the prompt is there, and drops what has been typed before.
func (s *screen) types(keys ...string) {
	s.Helper()
	const longest = len("Enter") // of the names that come first
	for range 5 {
		s.tmux(append([]string{"send-keys"}, keys...)...)
		for deadline := time.Now().Add(4 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			if len(keys[0]) <= longest || strings.Contains(s.tmux("capture-pane", "-p"), keys[0]) {
				return
			}
		}
	}
}

// until waits for the screen to end with the lines.
func (s *screen) until(want string) {
	s.Helper()
	last := ""
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if last = strings.TrimRight(s.tmux("capture-pane", "-p"), "\n "); strings.HasSuffix(last, want) {
			return
		}
	}
	s.Fatalf("the screen does not come to end with\n%s\nbut is\n%s", want, last)
}

// TestTerminal is a person at the keyboard.
func TestTerminal(t *testing.T) {
	s := newScreen(t, "sandtrap", "repl", "--timeout", "10m", "--ticks", "0")
	s.until(">")
	for _, step := range []struct {
		keys []string
		want string
	}{
		{[]string{"x := 20 + 1", "Enter"}, "x := 20 + 1\n>"},
		{[]string{"x * 2", "Enter"}, "x * 2\n42 // int\n>"},
		{[]string{"func f() int {", "Enter"}, "func f() int {"},
		{[]string{"return x }", "Enter"}, "func f() int {\n  return x }\n>"},
		{[]string{"fmt.Printl", "Tab"}, "> fmt.Println"},
		{[]string{"(f())", "Enter"}, "> fmt.Println(f())\n21\n>"},
		{[]string{"Up"}, "> fmt.Println(f())"},
		{[]string{"Up"}, "> func f() int {\n  return x }"}, // the whole cell
		{[]string{"C-c"}, "^C\n>"},
		{[]string{"C-r", "20"}, " x := 20 + 1"}, // and all that was typed can be searched
		{[]string{"Enter"}, "^C\n> x := 20 + 1\n>"},
		{[]string{"x := nothing", "Enter"}, "x := nothing\n             ^\n        declare it before it is used\n>"},
		{[]string{"fmt.Println(\"on\"); for { x++ }", "Enter"}, "\non"}, // it runs
		{[]string{"C-c"}, "\n>"},
		{[]string{"x > 21", "Enter"}, "x > 21\ntrue // bool\n>"},
		{[]string{"1 + 1", "BSpace", "4", "Left", "Left", "Left", "BSpace", "-", "Enter"}, "> 1-+ 4\n-3 // int\n>"},
		{[]string{":type f", "Enter"}, ":type f\nfunc() int\n>"},
		{[]string{":lo", "Tab"}, "> :load"},
		{[]string{" repl_comp", "Tab"}, "> :load repl_complete.go"},
		{[]string{"C-c"}, "^C\n>"},
		{[]string{"fmt.Println(strco", "Tab"}, "> fmt.Println(strconv"},
		{[]string{".Itoa(3))", "Enter"}, "> fmt.Println(strconv.Itoa(3))\n3\n>"},
		{[]string{"type P struct { Name string; N int }", "Enter"}, "\n>"},
		{[]string{"[]P{{`a`, 1}, {\"\\x1b\", 22}}", "Enter"}, "\n  Name     N\n  a        1\n  \"\\x1b\"  22\n// []main.P\n>"},
		{[]string{"len(_)", "Enter"}, "\n2 // int\n>"},
		{[]string{"help", "Enter"}, "print the time that CODE takes; alone: that of each cell, on or off\n  :type EXPR             print the type of an expression\n>"},
	} {
		s.types(step.keys...)
		s.until(step.want)
	}
	s.tmux("set-buffer", "-b", "plain", "r := `a\tb`\nfor range 2 {\n\tx\t= 5\n}\nlen(r)")
	s.tmux("paste-buffer", "-b", "plain") // as one without it does: line by line
	s.until("len(r)")
	s.types("Enter")
	s.until("\n3 // int\n>")
	s.tmux("set-buffer", "s := `a\tb`\nt := s +\n\t\"c\"\nlen(t)")
	s.tmux("paste-buffer", "-p") // as a terminal with bracketed paste does: one cell, with its tabs
	s.until("len(t)")
	s.types("Enter")
	s.until("\n4 // int\n>")
	s.tmux("set-buffer", "type Q struct{ N int }\n\nfunc (q Q) Two() int {\n\treturn 2 * q.N\n}\n\nq := Q{4}\nq.Two()")
	s.tmux("paste-buffer", "-p")
	s.until("q.Two()")
	s.types("Enter")
	s.until("\n8 // int\n>")
	s.types("_ + 1", "Enter")
	s.until("\n9 // int\n>")
	s.types("C-d")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if exec.Command("tmux", "-S", s.socket, "has-session").Run() != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("Ctrl-D does not end it")
		}
	}
}
