package policyfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A Source says where the value of a secret is: in a variable of the environment, or in a file.
type Source struct {
	Env  string
	File string
}

func (s Source) String() string {
	if s.Env != "" {
		return "variable " + s.Env
	}
	return "file " + s.File
}

// maxSecretFile bounds what is read of a file with a secret, in bytes.
const maxSecretFile = 64 << 10

// value reads the value. No error has a part of it.
func (s Source) value() (none egress.Value, err error) {
	if s.Env != "" {
		value, ok := os.LookupEnv(s.Env)
		switch {
		case !ok:
			return none, fmt.Errorf("the variable %s of the environment is not set", s.Env)
		case value == "":
			return none, fmt.Errorf("the variable %s of the environment is empty", s.Env)
		}
		return egress.NewValue(value), nil
	}
	file, err := os.Open(s.File)
	if err != nil {
		return none, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSecretFile))
	if err != nil {
		return none, err
	}
	value := strings.TrimRight(string(text), " \t\r\n")
	if value == "" {
		return none, errors.New(s.File + " is empty")
	}
	return egress.NewValue(value), nil
}
