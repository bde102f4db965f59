package sandtraptest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestIdleMemory: a worker that waits gives back what its last run has used.
func TestIdleMemory(t *testing.T) {
	eachWorker(t, func(b bench) {
		const used, kept = 48 << 20, 24 << 20 // bytes
		before := children(b)
		box := b.Box(pure())
		text := fmt.Sprintf("b := make([]byte, %d)\nfor i := 0; i < len(b); i += 4096 { b[i] = 1 }\nfmt.Print(len(b))", used)
		if res, err := box.Run(b.Context(), sandtrap.Script{Text: text}); err != nil || res.Stdout != fmt.Sprint(used) {
			b.Fatal(res.Stdout, err)
		}
		for pid := range children(b) {
			if before[pid] {
				continue
			}
			own := ownMemory(pid)
			for end := time.Now().Add(10 * time.Second); own > kept && time.Now().Before(end); own = ownMemory(pid) {
				time.Sleep(10 * time.Millisecond)
			}
			if own == 0 || own > kept {
				b.Errorf("it has %d bytes", own)
			}
		}
	})
}

// ownMemory is how many bytes of memory a process has beside pages of files, 0 if it is gone.
func ownMemory(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, resident, shared int
	fmt.Fscan(strings.NewReader(string(text)), &size, &resident, &shared)
	return (resident - shared) * os.Getpagesize()
}
