// Command bank is an example script: money transfers with typed errors, a deferred journal, a Stringer.
package main

import (
	"errors"
	"fmt"
	"os"
)

type Cents int64

func (c Cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s$%d.%02d", sign, int64(c)/100, int64(c)%100)
}

type InsufficientFunds struct {
	Account      string
	Have, Wanted Cents
}

func (e *InsufficientFunds) Error() string {
	return fmt.Sprintf("account %s: have %v, want %v", e.Account, e.Have, e.Wanted)
}

var ErrNoAccount = errors.New("no such account")

type Bank struct {
	balance map[string]Cents
	journal []string
}

func (b *Bank) withdraw(name string, amount Cents) error {
	have, ok := b.balance[name]
	if !ok {
		return fmt.Errorf("withdraw from %q: %w", name, ErrNoAccount)
	}
	if have < amount {
		return &InsufficientFunds{name, have, amount}
	}
	b.balance[name] -= amount
	return nil
}

func (b *Bank) Transfer(from, to string, amount Cents) (err error) {
	defer func() {
		state := "ok"
		if err != nil {
			state = "failed"
		}
		b.journal = append(b.journal, fmt.Sprintf("%s->%s %v %s", from, to, amount, state))
	}()
	if err = b.withdraw(from, amount); err != nil {
		return fmt.Errorf("transfer: %w", err)
	}
	if _, ok := b.balance[to]; !ok {
		b.balance[from] += amount
		return fmt.Errorf("transfer to %q: %w", to, ErrNoAccount)
	}
	b.balance[to] += amount
	return nil
}

func main() {
	b := &Bank{balance: map[string]Cents{"alice": 10050, "bob": 500}}
	for _, t := range []struct {
		from, to string
		amount   Cents
	}{
		{"alice", "bob", 2575},
		{"bob", "alice", 999999},
		{"carol", "bob", 1},
		{"alice", "dave", 100},
	} {
		err := b.Transfer(t.from, t.to, t.amount)
		var short *InsufficientFunds
		switch {
		case errors.As(err, &short):
			fmt.Println("short by", short.Wanted-short.Have)
		case errors.Is(err, ErrNoAccount):
			fmt.Println("unknown:", err)
		case err != nil:
			fmt.Println("unexpected:", err)
			os.Exit(1)
		default:
			fmt.Println("moved", t.amount)
		}
	}
	for i, line := range b.journal {
		fmt.Println(i+1, line)
	}
	fmt.Println(b.balance, Cents(-5))
}


// Output:
// moved $25.75
// short by $9969.24
// unknown: transfer: withdraw from "carol": no such account
// unknown: transfer to "dave": no such account
// 1 alice->bob $25.75 ok
// 2 bob->alice $9999.99 failed
// 3 carol->bob $0.01 failed
// 4 alice->dave $1.00 failed
// map[alice:$74.75 bob:$30.75] -$0.05
