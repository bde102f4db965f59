package builtins

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
)

// writeNew are the flags for a file that must not be there yet.
const writeNew = os.O_CREATE | os.O_EXCL | os.O_WRONLY

// The environment of a run is a map of its own.

func osLookupEnv(e *Env) func(key string) (string, bool) {
	return func(key string) (string, bool) {
		v, ok := e.Environ[key]
		return v, ok
	}
}

func osGetenv(e *Env) func(key string) string {
	return func(key string) string { return e.Environ[key] }
}

var errBadKey = errors.New("setenv: invalid argument")

func osSetenv(e *Env) func(key, value string) error {
	return func(key, value string) error {
		if key == "" || strings.ContainsAny(key, "=\x00") || strings.Contains(value, "\x00") {
			return errBadKey
		}
		e.charge(int64(len(key) + len(value) + 64))
		if e.Environ == nil {
			e.Environ = map[string]string{}
		}
		e.Environ[key] = value
		return nil
	}
}

func osUnsetenv(e *Env) func(key string) error {
	return func(key string) error {
		delete(e.Environ, key)
		return nil
	}
}

func osClearenv(e *Env) func() { return func() { clear(e.Environ) } }

func osEnviron(e *Env) func() []string {
	return func() []string {
		list := []string{}
		for _, key := range slices.Sorted(maps.Keys(e.Environ)) {
			e.charge(int64(len(key) + len(e.Environ[key]) + 32))
			list = append(list, key+"="+e.Environ[key])
		}
		return list
	}
}

// osExpand asks for each value before it is put in.
func osExpand(e *Env) func(s string, mapping func(string) string) string {
	return func(s string, mapping func(string) string) string {
		e.charge(int64(len(s)))
		return os.Expand(s, func(name string) string {
			e.stepped(1)
			v := mapping(name)
			e.charge(2 * int64(len(v)))
			return v
		})
	}
}

func osExpandEnv(e *Env) func(s string) string {
	return func(s string) string { return osExpand(e)(s, osGetenv(e)) }
}

// Directories of a user are where the environment of the run says.

func osUserHomeDir(e *Env) func() (string, error) {
	return func() (string, error) {
		if dir := e.Environ["HOME"]; dir != "" {
			return dir, nil
		}
		return "", errors.New("$HOME is not defined")
	}
}

func osUserCacheDir(e *Env) func() (string, error)  { return e.userDir("XDG_CACHE_HOME", ".cache") }
func osUserConfigDir(e *Env) func() (string, error) { return e.userDir("XDG_CONFIG_HOME", ".config") }

func (e *Env) userDir(key, below string) func() (string, error) {
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
