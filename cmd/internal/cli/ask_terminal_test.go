package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// askerMain asks at its terminal, once for each file that comes to be in the directory that is its argument, until one is
// named end. One that is named short is asked for a second.
func askerMain() {
	a, err := openAsker(true)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer a.Close()
	a.by = "ann"
	for n := int64(1); ; n++ {
		fmt.Printf("%d: at work\n", n)
		var files []os.DirEntry
		for len(files) == 0 {
			time.Sleep(5 * time.Millisecond)
			files, _ = os.ReadDir(os.Args[1])
		}
		name := files[0].Name()
		os.Remove(filepath.Join(os.Args[1], name))
		if name == "end" {
			return
		}
		ctx, cancel := context.Background(), context.CancelFunc(func() {})
		if name == "short" {
			ctx, cancel = context.WithTimeout(ctx, time.Second)
		}
		answers, err := a.Ask(ctx, []decide.Request{{ID: n, Call: decide.Call{Member: name, Args: []byte("{}")}}})
		cancel()
		fmt.Println(answers, err)
	}
}

// TestAskTerminal is a person who types too early, too late, and at the right time.
func TestAskTerminal(t *testing.T) {
	dir := t.TempDir()
	s := newScreen(t, "asker", dir)
	ask := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	question := func(name string) string {
		return "Call: " + name + "\n  arguments: none\nAllow? [y]es, [n]o, [l]ater:"
	}

	s.until("1: at work")
	ask("send")
	s.until(question("send"))
	s.types("y", "Enter")
	s.until("[l]ater: y\n[{1 approve false  ann}] <nil>\n2: at work")

	s.types("y", "Enter", "y") // a line and a part of one, before the question
	s.until("2: at work\ny\ny")
	ask("pay")
	s.until("y\nCall: pay\n  arguments: none\nAllow? [y]es, [n]o, [l]ater:")
	time.Sleep(300 * time.Millisecond) // in which a line from before would answer it
	s.until("y\nCall: pay\n  arguments: none\nAllow? [y]es, [n]o, [l]ater:")
	s.types("Enter") // is not the end of what was typed before
	s.until("\nAnswer [y]es, [n]o, [l]ater:")
	s.types("n", "Enter")
	s.until("[{2 deny false the user refuses it ann}] <nil>\n3: at work")

	ask("short")
	s.until(question("short"))
	s.types("y") // and no more
	s.until("\nno answer (context deadline exceeded): denied\n[] context deadline exceeded\n4: at work")
	s.types("es", "Enter")
	s.until("4: at work\nes")
	ask("pay")
	s.until(question("pay"))
	time.Sleep(300 * time.Millisecond)
	s.until(question("pay"))
	s.types("C-d")
	s.until("\nno answer (the input has ended): denied\n[] <nil>\n5: at work")

	ask("pay") // the end was that of one question
	s.until(question("pay"))
	s.types("y", "Enter")
	s.until("[{5 approve false  ann}] <nil>\n6: at work")
	ask("end")
}
