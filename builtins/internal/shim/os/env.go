package os

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// writeNew are the flags for a file that must not be there yet.
const writeNew = os.O_CREATE | os.O_EXCL | os.O_WRONLY

// The environment of a run is a map of its own.

func OsLookupEnv(e *shim.Env) func(key string) (string, bool) {
	return func(key string) (string, bool) {
		v, ok := e.Environ[key]
		return v, ok
	}
}

func OsGetenv(e *shim.Env) func(key string) string {
	return func(key string) string { return e.Environ[key] }
}

var errBadKey = errors.New("setenv: invalid argument")

func OsSetenv(e *shim.Env) func(key, value string) error {
	return func(key, value string) error {
		if key == "" || strings.ContainsAny(key, "=\x00") || strings.Contains(value, "\x00") {
			return errBadKey
		}
		e.Charge(int64(len(key) + len(value) + 64))
		if e.Environ == nil {
			e.Environ = map[string]string{}
		}
		e.Environ[key] = value
		return nil
	}
}

func OsUnsetenv(e *shim.Env) func(key string) error {
	return func(key string) error {
		delete(e.Environ, key)
		return nil
	}
}

func OsClearenv(e *shim.Env) func() { return func() { clear(e.Environ) } }

func OsEnviron(e *shim.Env) func() []string {
	return func() []string {
		list := []string{}
		for _, key := range slices.Sorted(maps.Keys(e.Environ)) {
			e.Charge(int64(len(key) + len(e.Environ[key]) + 32))
			list = append(list, key+"="+e.Environ[key])
		}
		return list
	}
}

// OsExpand asks for each value before it is put in.
func OsExpand(e *shim.Env) func(s string, mapping func(string) string) string {
	return func(s string, mapping func(string) string) string {
		e.Charge(int64(len(s)))
		return os.Expand(s, func(name string) string {
			e.Stepped(1)
			v := mapping(name)
			e.Charge(2 * int64(len(v)))
			return v
		})
	}
}

func OsExpandEnv(e *shim.Env) func(s string) string {
	return func(s string) string { return OsExpand(e)(s, OsGetenv(e)) }
}

// Directories of a user are where the environment of the run says.

func OsUserHomeDir(e *shim.Env) func() (string, error) {
	return func() (string, error) {
		if dir := e.Environ["HOME"]; dir != "" {
			return dir, nil
		}
		return "", errors.New("$HOME is not defined")
	}
}

func OsUserCacheDir(e *shim.Env) func() (string, error) {
	return userDir(e, "XDG_CACHE_HOME", ".cache")
}
func OsUserConfigDir(e *shim.Env) func() (string, error) {
	return userDir(e, "XDG_CONFIG_HOME", ".config")
}

func userDir(e *shim.Env, key, below string) func() (string, error) {
	return func() (string, error) {
		dir, home := e.Environ[key], e.Environ["HOME"]
		switch {
		case dir == "" && home == "":
			return "", errors.New("neither $" + key + " nor $HOME are defined")
		case dir == "":
			return home + "/" + below, nil
		case dir[0] != '/':
			return "", errors.New("path in $" + key + " is relative")
		}
		return dir, nil
	}
}
