package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/testdata/bench/host"
	"github.com/sandtrap-go/sandtrap/testdata/bench/tasks"
)

const hostPath = "github.com/sandtrap-go/sandtrap/testdata/bench/host"

func compiled(t tasks.Task) (runner, error) {
	return timed(func() (int64, error) { return int64(t.Go()), nil }), nil
}

// function is the name of the Go function of a task.
func function(t tasks.Task) string { return strings.ToUpper(t.Name[:1]) + t.Name[1:] }

// script is the Go source of a task as a program.
func script(t tasks.Task) string {
	text := strings.Replace(source(t, ".go"), "package tasks", "package main", 1)
	return fmt.Sprintf("%s\nvar result int\n\nfunc main() { result = %s() }\n", text, function(t))
}

// sandtrapVM measures whole runs, with every limit that a policy can set; the
// program is the same each time.
func sandtrapVM(t tasks.Task) (runner, error) {
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{
		Engine: "vm",
		Std:    []string{"strings", "strconv", "sort", "math"},
		Limits: sandtrap.Limits{
			Timeout: time.Minute, Ticks: 1e12, Memory: 1 << 30, Output: 1 << 20, Tasks: 1000, Depth: 10000,
		},
		Packages: []sandtrap.Package{{Path: hostPath, Members: map[string]any{"Add": host.Add}}},
	})
	if err != nil {
		return nil, err
	}
	text := script(t)
	return timed(func() (int64, error) {
		res, err := box.Run(context.Background(), sandtrap.Script{Text: text})
		if err != nil {
			return 0, err
		}
		n, ok := res.Vars["result"].(int)
		if !ok {
			return 0, fmt.Errorf("result is %v", res.Vars["result"])
		}
		return int64(n), nil
	}), nil
}

func yaegi(t tasks.Task) (runner, error) {
	i := interp.New(interp.Options{Stdout: os.Stderr, Stderr: os.Stderr})
	if err := i.Use(stdlib.Symbols); err != nil {
		return nil, err
	}
	exports := interp.Exports{hostPath + "/host": {"Add": reflect.ValueOf(host.Add)}}
	if err := i.Use(exports); err != nil {
		return nil, err
	}
	text := strings.Replace(source(t, ".go"), "package tasks", "package work", 1)
	if _, err := i.Eval(text); err != nil {
		return nil, err
	}
	v, err := i.Eval("work." + function(t))
	if err != nil {
		return nil, err
	}
	f, ok := v.Interface().(func() int)
	if !ok {
		return nil, fmt.Errorf("%s is a %s", function(t), v.Type())
	}
	return timed(func() (int64, error) { return int64(f()), nil }), nil
}

var sqrt = math.Sqrt
