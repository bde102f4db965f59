package upstream

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
)

// values reads variables of the environment or headers: a text, if that may be, or an object that says where it comes from.
func values(what string, to *[]Value, text bool) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		return policyfile.Fields(what, n, func(name, value *yaml.Node) error {
			v, err := valueOf(what+"."+name.Value, value, text)
			v.Name = name.Value
			*to = append(*to, v)
			return err
		})
	}
}

func valueOf(what string, n *yaml.Node, text bool) (v Value, err error) {
	if n.Kind == yaml.ScalarNode {
		if v.Text = n.Value; !text {
			err = errors.New("headers come from the environment or from a file: {env: NAME} or {file: PATH}")
		}
		return v, err
	}
	var env, file, prefix string
	keys := map[string]func(*yaml.Node) error{"env": decodeTo(&env), "file": decodeTo(&file), "prefix": decodeTo(&prefix)}
	if err := policyfile.Fields(what, n, func(name, value *yaml.Node) error { return policyfile.Known(what, name, value, keys) }); err != nil {
		return v, err
	}
	switch {
	case (env == "") == (file == ""):
		return v, fmt.Errorf("%s: want env or file, and not both", what)
	case env != "":
		if v.Text = os.Getenv(env); v.Text == "" {
			return v, fmt.Errorf("%s: the variable %s of the environment is not set", what, env)
		}
	default:
		if v.Text, err = readSecret(file); err != nil {
			return v, fmt.Errorf("%s: %w", what, err)
		}
	}
	v.Text, v.Secret = prefix+v.Text, true
	return v, nil
}

func readSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecret))
	if err == nil && len(strings.TrimSpace(string(text))) == 0 {
		err = fmt.Errorf("%s is empty", path)
	}
	return strings.TrimSpace(string(text)), err
}
