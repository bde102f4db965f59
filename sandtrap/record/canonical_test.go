package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// encodedMap is the canonical form of an event, for another encoder.
func encodedMap(n int64, e *Event, first int64) map[int]any {
	all := map[int]any{1: n, 2: e.Time.Unix(), 3: e.Time.Nanosecond(), 4: string(e.Kind), 5: e.Tenant, 6: e.Session, 7: e.Run, 8: e.Sequence,
		9: e.Process, 10: e.Script, 11: e.Member, 12: []byte(e.Args), 13: e.Hash, 14: e.At, 15: e.Risk.String(), 16: string(e.Decision),
		17: string(e.Code), 18: e.Rule, 19: e.Reason, 20: e.By, 21: int64(e.Duration), 22: e.Outcome, 23: e.Error, 24: e.Ticks, 25: first,
		26: e.Status, 27: e.Sent, 28: e.Received}
	for k, v := range all {
		if text := fmt.Sprint(v); k > 4 && (text == "" || text == "0" || text == "[]") {
			delete(all, k)
		}
	}
	return all
}

func randomEvent(rng *rand.Rand) Event {
	e := Event{Time: time.Unix(rng.Int64N(1e9)-5e8, rng.Int64N(1e9)), Kind: KindDecision}
	for _, s := range e.texts() {
		if rng.IntN(2) == 0 {
			*s = strings.Repeat("é", rng.IntN(3)+rng.IntN(2)*rng.IntN(40000))
		}
	}
	number := func() int64 {
		return []int64{0, 1, 23, 24, -1, -24, -25, 255, 256, 1 << 16, 1<<32 - 1, 1 << 32, math.MaxInt64, math.MinInt64, rng.Int64()}[rng.IntN(15)]
	}
	e.Sequence, e.Process, e.Duration, e.Ticks = number(), int(number()), time.Duration(number()), number()
	e.Status, e.Sent, e.Received = int(number()), number(), number()
	e.Risk = decide.Risk(rng.IntN(5))
	if rng.IntN(2) == 0 {
		e.Args = json.RawMessage(`{"a":[1]}`)
	}
	return e
}

// TestCanonical: the hash of a line covers what another encoder of core deterministic CBOR makes of the event.
func TestCanonical(t *testing.T) {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var c canonical
	for range 2000 {
		e, from, first := randomEvent(rng), chain{n: rng.Int64N(1 << 40), sum: sha256.Sum256([]byte{byte(rng.Int())})}, rng.Int64N(2)
		want, err := mode.Marshal(encodedMap(from.n+1, &e, first))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.encode(from, &e, first); !bytes.Equal(got, append(from.sum[:], want...)) {
			t.Fatalf("%+v:\n%x\nwant\n%x", e, got[sha256.Size:], want)
		}
	}
}

// TestLine: encoding/json reads from a line what it would write.
func TestLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var c coder
	for range 500 {
		e := randomEvent(rng).bounded()
		text, to, err := c.encode(chain{n: 5}, &e, 2)
		if err != nil {
			t.Fatal(err)
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(l.Event)
		e.Time = e.Time.UTC()
		want, failed := json.Marshal(e)
		if err != nil || failed != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s, %v\nwant %s, %v", got, err, want, failed)
		}
		if l.N != 6 || l.First != 2 || l.Sum != hex.EncodeToString(to.sum[:]) {
			t.Fatalf("%+v", l)
		}
	}
}

// TestGolden: lines that were once written verify for ever, so neither the form of a line nor that of what is hashed changes.
func TestGolden(t *testing.T) {
	e := Event{Time: time.Unix(1770000000, 5), Kind: KindDecision, Subject: decide.Subject{Tenant: "acme"}, Args: json.RawMessage(`{"a":1}`), Decision: Allow}
	text, _, err := new(coder).encode(chain{}, &e, 0)
	const want = `{"n":1,"time":"2026-02-02T02:40:00.000000005Z","kind":"decision","tenant":"acme","args":{"a":1},"decision":"allow",` +
		`"prev":"0000000000000000000000000000000000000000000000000000000000000000",` +
		`"hash":"b93ad31a1e4ecee356baf2aa6820d3347e31c90b0edffb45be9bc0a10e65c899"}` + "\n"
	if err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
}

// TestKinds: kinds are part of records, so the list is append-only.
func TestKinds(t *testing.T) {
	text, err := json.Marshal(Kinds())
	const want = `["start","decision","approval","answer","return","warning","pause","resume","end","syscall","file","repair","use"]`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}
