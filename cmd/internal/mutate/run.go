package mutate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// patience is how long go test may take for one mutation, in its own notation.
const patience = "3m"

// A runner runs tests of the tree in root.
type runner struct {
	root  string
	whole map[string]ending // by package and pattern, with every defence in place
}

// try switches m off and says whether its test fails. The error is one of this machine, such as a
// toolchain that is not there.
func (r *runner) try(ctx context.Context, m Mutation) (verdict, string, error) {
	overlay, remove, err := r.overlay(m)
	if err != nil {
		return broken, err.Error(), nil
	}
	defer remove()
	whole, err := r.baseline(ctx, m)
	if err != nil {
		return "", "", err
	}
	if v, why := m.judgeWhole(whole); v != "" {
		return v, why, nil
	}
	// The go command may keep no result here: it does not see that a worker which the test builds differs.
	without, err := r.test(ctx, m, "-overlay="+overlay, "-count=1")
	if err != nil {
		return "", "", err
	}
	v, why := m.judge(without)
	return v, why, nil
}

// overlay writes the file without the defence, and what -overlay of the go command reads.
func (r *runner) overlay(m Mutation) (name string, remove func(), err error) {
	file, err := filepath.Abs(filepath.Join(r.root, filepath.FromSlash(m.File)))
	if err != nil {
		return "", nil, err
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", m.ID, err)
	}
	text, err := m.apply(string(source))
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", nil, err
	}
	changed := filepath.Join(dir, "changed.go")
	name = filepath.Join(dir, "overlay.json")
	replace, _ := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
	return name, func() { os.RemoveAll(dir) }, errors.Join(
		os.WriteFile(changed, []byte(text), 0o666), os.WriteFile(name, replace, 0o666))
}

// baseline is the test with every defence in place, once for each test; the go command keeps the
// result from one call of this program to the next.
func (r *runner) baseline(ctx context.Context, m Mutation) (ending, error) {
	key := m.Package + " " + m.pattern()
	if e, ok := r.whole[key]; ok {
		return e, nil
	}
	e, err := r.test(ctx, m)
	if err == nil {
		r.whole[key] = e
	}
	return e, err
}

// test calls go test. The flags go into GOFLAGS, so that a worker that the test builds has the
// same source.
func (r *runner) test(ctx context.Context, m Mutation, goflags ...string) (ending, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-vet=off", "-timeout", patience, "-run", m.pattern(), ".")
	cmd.Dir = filepath.Join(r.root, filepath.FromSlash(m.Package)) // which may be in a module of its own
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.Join(goflags, " "))
	if len(goflags) > 0 { // this machine can, as the test has shown: it is not to say now that it cannot
		cmd.Env = append(cmd.Env, "SANDTRAP_KERNEL_TESTS=required")
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || stdout.Len() == 0) {
		return ending{}, fmt.Errorf("go test: %w: %s", err, stderr.String())
	}
	return readEnding(&stdout), nil
}
