package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/user"

	"golang.org/x/term"
)

// openAsker asks at the terminal of this process, wherever its streams lead: what is piped into a script answers nothing.
func openAsker(later bool) (*asker, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("there is no terminal to ask at: %w", err)
	}
	by := "the terminal"
	if u, err := user.Current(); err == nil {
		by = cmp.Or(u.Username, by)
	}
	return newAsker(tty, tty, later, by), nil
}

// Close closes the terminal.
func (a *asker) Close() error { return a.tty.Close() }

// terminalOf is the terminal that r reads from, nil if it is none.
func terminalOf(r io.Reader) (tty *os.File) {
	if f, ok := r.(*os.File); ok {
		_ = withDescriptor(f, func(fd int) error {
			if term.IsTerminal(fd) {
				tty = f
			}
			return nil
		})
	}
	return tty
}

// terminalWidth is 80 without a terminal, and never too narrow for the prefixes of lines.
func terminalWidth(tty *os.File) (width int) {
	if tty != nil {
		_ = withDescriptor(tty, func(fd int) (err error) {
			width, _, err = term.GetSize(fd)
			return err
		})
	}
	return max(cmp.Or(width, 80), 20)
}

// dropTyped drops what was typed at the terminal up to now, also a line without its end.
func (a *asker) dropTyped() error {
	if a.tty == nil {
		return nil
	}
	a.lines.Reset(a.tty)
	return withDescriptor(a.tty, flushInput)
}

// withDescriptor calls do with the descriptor of f. Unlike f.Fd it leaves f able to end a read.
func withDescriptor(f *os.File, do func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if e := raw.Control(func(fd uintptr) { err = do(int(fd)) }); e != nil {
		return e
	}
	return err
}
