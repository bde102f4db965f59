package main

import (
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// misdeeds are what a worker does after its job, when it has nothing to do.
var misdeeds = map[string]func(){
	"shut":    func() { unix.Shutdown(confine.Socket, unix.SHUT_WR) },
	"shut-rd": func() { unix.Shutdown(confine.Socket, unix.SHUT_RD) },
	"shut-rw": func() { unix.Shutdown(confine.Socket, unix.SHUT_RDWR) },
	"stop":    func() { unix.Kill(unix.Getpid(), unix.SIGSTOP) },
	"exit":    func() { os.Exit(0) },
	"byte":    func() { confine.Link{}.Write([]byte{0}) },
	"header":  func() { confine.Link{}.Write([]byte{0, 16, 0, 0}) },
	"half":    func() { confine.Link{}.Write([]byte(frames["half"])) },
	"garbage": func() { confine.Link{}.Write([]byte(frames["garbage"])) },
	"huge":    func() { confine.Link{}.Write([]byte(frames["huge"])) },
}

// misbehave does one of them some time after the job.
func misbehave(what string) error {
	if how, ok := strings.CutPrefix(what, "deaf "); ok {
		return deafen(how)
	}
	go func() {
		time.Sleep(50 * time.Millisecond)
		misdeeds[what]()
	}()
	return nil
}

// deafen ends the job, and reads nothing any more.
func deafen(how string) error {
	link, err := unix.Dup(confine.Socket)
	if err != nil {
		return err
	}
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		return err
	}
	if err := unix.Dup3(ends[0], confine.Socket, 0); err != nil { // what reads there waits for ever
		return err
	}
	if err := wire.NewConn(os.NewFile(uintptr(link), "link")).Send(&wire.Message{Kind: wire.Outcome, ID: 1}); err != nil {
		return err
	}
	for how == "spin" {
	}
	select {}
}
