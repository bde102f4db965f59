// Command hello is a small program to start. With an argument it sends back what comes on descriptor 3.
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	if len(os.Args) == 1 {
		fmt.Println("hello")
		return
	}
	var data [20]byte
	for {
		n, err := syscall.Read(3, data[:])
		if n <= 0 || err != nil {
			return
		}
		syscall.Write(3, data[:n])
	}
}
