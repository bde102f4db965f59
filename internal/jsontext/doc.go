// Package jsontext reads and writes the text of JSON as encoding/json does, byte for
// byte and error for error, but in steps: what is to be allocated is paid for
// before, and long work lets a stop through. It also tells which fields of a struct are in it. It knows nothing of Go
// values.
//
// It may not look into a value, or allocate what was not paid for.
package jsontext

// Costs are what work on texts asks of the run that it is done for. Either may be
// nil, and may not return.
type Costs struct {
	Charge func(bytes int64) // before an allocation
	Check  func()            // now and then in long work
}

// stretch is how many bytes may be read or written between two checks: some tens of
// microseconds.
const stretch = 16 << 10

func (c Costs) charge(n int) {
	if c.Charge != nil {
		c.Charge(int64(n))
	}
}

func (c Costs) check() {
	if c.Check != nil {
		c.Check()
	}
}
