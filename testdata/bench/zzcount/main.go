package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/testdata/bench/host"
	"github.com/sandtrap-go/sandtrap/testdata/bench/tasks"
)

func main() {
	name := os.Args[1]
	n, _ := strconv.Atoi(os.Args[2])
	const hostPath = "github.com/sandtrap-go/sandtrap/testdata/bench/host"
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{
		Std: []string{"fmt", "strings", "strconv", "sort", "math"}, Engine: "vm",
		Limits:   sandtrap.Limits{Timeout: time.Hour, Ticks: 1 << 40, Memory: 1 << 30, Output: 1 << 20, Tasks: 100, Depth: 1000},
		Packages: []sandtrap.Package{{Path: hostPath, Members: map[string]any{"Add": host.Add}}},
	})
	if err != nil {
		panic(err)
	}
	text := "fmt.Println(1)\n"
	if name != "hello" {
		b, _ := tasks.Files.ReadFile(name + ".go")
		text = strings.Replace(string(b), "package tasks", "package main", 1) + "\nfunc main() { println(" + strings.ToUpper(name[:1]) + name[1:] + "()) }\n"
	}
	defer dump()
	for range n {
		res, err := box.Run(context.Background(), sandtrap.Script{Text: text})
		if err != nil {
			fmt.Fprintln(os.Stderr, res, err)
			os.Exit(1)
		}
	}
}
