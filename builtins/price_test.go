package builtins

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Which members TestPrices calls: by default a sample, and all with -prices 1.
var (
	pricesStep = flag.Int("prices", 40, "call one in so many members of the tables in TestPrices")
	pricesFrom = flag.Int("prices-from", 0, "the number of the member that TestPrices calls first")
)

// priceChild is what tells the test binary that it is the child: the first member that it calls.
const priceChild, priceStep = "SANDTRAP_PRICES", "SANDTRAP_PRICES_STEP"

// TestMain is also the child that calls the members: what one of them does to the process is done
// to that.
func TestMain(m *testing.M) {
	if first := os.Getenv(priceChild); first != "" {
		callMembers(number(first), number(os.Getenv(priceStep)))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

const (
	childMemory = 1 << 30
	memberTime  = 60 * time.Second // of a machine that does much else; what loops has no end
	largeArgs   = 1 << 17

	// A member may take so many nanoseconds without asking, and allocate so many bytes, for each
	// byte of its arguments and results, and of what it charges for; and so much beside.
	timeRate, heapRate = 4, 40
	timeFree, heapFree = 12 * time.Millisecond, 4 << 20

	// What is kept after a call is what is charged for, or shows of the results, twice at most, and
	// so much beside.
	keptRate, keptFree = 2, 128
)

// TestPrices calls the functions and methods of the tables with large, nested and endless arguments
// in a process of their own, and compares time and memory with what they ask for.
func TestPrices(t *testing.T) {
	step, from := max(*pricesStep, 1), max(*pricesFrom, 0)
	calls := 0
	for at := from; at < len(pricedMembers()); {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), priceChild+"="+strconv.Itoa(at), priceStep+"="+strconv.Itoa(step))
		var failed bytes.Buffer
		cmd.Stderr = &failed
		out, err := cmd.Output()
		last := at
		for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
			if n, ok := strings.CutPrefix(lines.Text(), "> "); ok {
				last, calls = number(n), calls+1
			} else if _, text, ok := strings.Cut(lines.Text(), "! "); ok {
				t.Error(text)
			}
		}
		if err == nil {
			break
		}
		t.Errorf("%v: the process ended: %v\n%.2000s", pricedMembers()[last], err, failed.String())
		at = last + step
	}
	t.Logf("%d of %d members were called, one in %d from %d on", calls, len(pricedMembers()), step, from)
	if want := max(1, (len(pricedMembers())-from)/step); calls < want {
		t.Errorf("%d members were called, want %d", calls, want)
	}
}

// callMembers calls each member from the one at a place on, or one of so many, and prints its faults.
func callMembers(at, step int) {
	runtime.LockOSThread()
	table, err := NewTable(Std()...)
	if err != nil {
		panic(err)
	}
	all := pricedMembers()
	for ; at < len(all); at += step {
		fmt.Printf("\n> %d\n", at)
		over := watch(all[at])
		callMember(table, all[at])
		close(over)
	}
}

// watch ends the process where a member does not return, or has too much memory.
func watch(r Ref) (over chan bool) {
	over = make(chan bool)
	go func() {
		for began := time.Now(); time.Since(began) < memberTime; {
			var s runtime.MemStats
			if runtime.ReadMemStats(&s); s.HeapAlloc > childMemory {
				fmt.Printf("\n! %v: takes %d MB\n", r, s.HeapAlloc>>20)
				os.Exit(1)
			}
			select {
			case <-over:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
		fmt.Printf("\n! %v: does not return\n", r)
		os.Exit(1)
	}()
	return over
}

func callMember(table *Table, r Ref) {
	for _, k := range argKinds {
		if fault := fault(table, r, k); fault != "" {
			fmt.Printf("\n! %v, %s: %s\n", r, k.name, fault)
		}
	}
}

// fault is empty, or says what a member does with arguments of a kind that nobody pays for.
func fault(table *Table, r Ref, k kind) (text string) {
	for range 4 { // it may be by chance
		m, ok := measureCall(table, r, k, largeArgs, 1, false)
		whole := m.size + m.charged + m.made
		switch {
		case !ok:
		case m.late > timeFree+time.Duration(timeRate*whole):
			text = fmt.Sprintf("takes %v without asking, with arguments of %d bytes, %d charged and %d made", m.late, m.size, m.charged, m.made)
			continue
		case !m.calls && m.allocated > heapFree+heapRate*whole:
			text = fmt.Sprintf("allocates %d bytes, with arguments of %d, %d charged and %d made", m.allocated, m.size, m.charged, m.made)
			continue
		}
		text = ""
		break
	}
	if text != "" || !k.keeps {
		return text
	}
	for times := 64; times <= 512; times *= 8 { // what many have together
		m, ok := measureCall(table, r, k, 32, times, false)
		if !ok || m.allocated <= m.keeps() { // no more is held than was allocated
			return ""
		}
		m, ok = measureCall(table, r, k, 32, times, true)
		if !ok || m.held <= m.keeps() {
			return ""
		}
		text = fmt.Sprintf("keeps %d bytes, with arguments of %d, %d charged and %d made", m.held, m.size, m.charged, m.made)
	}
	return text
}

// keeps is how much may be kept after a call.
func (m *measured) keeps() int64 { return keptRate*(m.charged+m.made) + m.size + keptFree }
