package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

func init() { if os.Getenv("PROF") != "" { runtime.MemProfileRate = 1 } }

func dump() {
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.Lookup("allocs").WriteTo(f, 0)
		f.Close()
	}
}
