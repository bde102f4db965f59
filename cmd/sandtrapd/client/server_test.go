package client_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// server is sandtrapd, as its command starts it.
var server *client.Client

func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sandtrapd")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	keys := filepath.Join(dir, "keys")
	const token = "a-token-for-the-tests-of-the-client"
	if err := os.WriteFile(keys, []byte(token+"@alpha:admin\n"), 0o600); err != nil {
		panic(err)
	}
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Main([]string{"serve", "--listen", "127.0.0.1:0", "--isolation", "none", "--data", dir, "--keys", keys}, in, os.Stderr)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "sandtrapd: ")
	if err != nil || !ok {
		panic(fmt.Sprint(line, err))
	}
	go io.Copy(io.Discard, out)
	server = &client.Client{URL: url, Key: token}
	code := m.Run()
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(os.Interrupt) == nil {
		code = max(code, <-ended)
	}
	return code
}
