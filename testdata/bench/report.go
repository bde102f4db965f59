package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/testdata/bench/tasks"
)

const intro = `# Benchmarks

Written by a command; run it on your machine:

    cd testdata/bench && go run . -o ../../docs/benchmarks.md

Milliseconds of processor time, with the garbage collector's, median of %d runs after one to warm up. All do the same work and must
give the same result as compiled Go, or the command fails. A dash stands for a feature that a language
lacks. Programs are compiled before the clock starts; for sandtrap a run is
a whole Run of a program it has run before, with limits on time, ticks, memory, output, tasks
and depth. The others run without any limit.

%s

`

const notes = `
- Sorting: CPython sorts with ` + "`cmp_to_key`" + `, for the same number of callbacks; starlark-go has
  only sorting by key, which is less work.
- Host call: a Go function ` + "`func(a, b int) int`" + `; in CPython ` + "`operator.add`" + `, which is C.
- Channel ping-pong: in goja and CPython generators, and in gopher-lua coroutines, which are less work.
- Method calls in languages without methods: a function and a map.
- String building as is usual in each language: a builder, joining a list, or +=.
`

// report writes the table.
func report(all results, rounds int) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, intro, rounds, machine())
	b.WriteString("| task |")
	rule := "\n|---|"
	for _, r := range rivals {
		fmt.Fprintf(b, " %s |", r.name)
		rule += "---:|"
	}
	b.WriteString(" vm, per unit | CPython ÷ vm |" + rule + "---:|---:|\n")
	for _, t := range tasks.All {
		row, ok := all[t.Name]
		if !ok {
			continue
		}
		fmt.Fprintf(b, "| %s |", t.Title)
		for _, r := range rivals {
			b.WriteString(" " + milliseconds(row[r.name]) + " |")
		}
		own := row[rivals[0].name]
		fmt.Fprintf(b, " %.1f ns/%s | %s |\n", float64(own)/t.Units, t.Unit, ratio(row["CPython"], own))
	}
	b.WriteString(notes)
	return b.String()
}

func milliseconds(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", float64(d)/1e6)
}

func ratio(a, b time.Duration) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", float64(a)/float64(b))
}

// machine says on what and with which versions.
func machine() string {
	var list []string
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, d := range info.Deps {
			switch d.Path {
			case "github.com/traefik/yaegi", "github.com/dop251/goja", "go.starlark.net", "github.com/yuin/gopher-lua", "github.com/d5/tengo/v2":
				list = append(list, d.Path+" "+d.Version)
			}
		}
	}
	if v := pythonVersion(); v != "" {
		list = append(list, "CPython "+v)
	}
	return fmt.Sprintf("%s, %s/%s, %d processors. %s.", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), strings.Join(list, ", "))
}
