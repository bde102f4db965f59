package paused

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// variable is set in processes that go on with a run.
const variable = "SANDTRAP_TEST_RESUMES"

// A request is what such a process reads.
type request struct {
	Mode    sandtrap.Isolation
	Files   bool
	File    []byte
	Answers []durable.Answer
}

// Init ends a process that goes on with a run; it is for TestMain, after worker.Init.
func Init() {
	if os.Getenv(variable) == "" {
		return
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve() error {
	var r request
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		return err
	}
	b, err := durable.New(policy(r.Mode, r.Files, true))
	if err != nil {
		return err
	}
	defer b.Close()
	res, pause, err := b.Resume(context.Background(), bytes.NewReader(r.File), nil, r.Answers...)
	s, err := stateOf(res, pause, err)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(s)
}

// resumedAfresh is resumed in another process.
func resumedAfresh(t *testing.T, mode sandtrap.Isolation, files bool, file []byte, answers []durable.Answer) (s state, err error) {
	text, err := json.Marshal(request{mode, files, file, answers})
	if err != nil {
		return s, err
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), variable+"=1")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(out, &s)
}
