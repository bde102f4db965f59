package mcpserver_test

import (
	"os"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cli"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// asCommand has the test binary be the command.
const asCommand = "SANDTRAPD_TEST_COMMAND"

func TestMain(m *testing.M) {
	worker.Init()
	if os.Getenv(asCommand) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
