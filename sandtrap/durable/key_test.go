package durable_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// keyed is a box with a key, nil for none.
func keyed(t testing.TB, key []byte) *durable.Box {
	t.Helper()
	p := policy()
	p.Seed, p.Epoch = 1, time.Unix(1, 0) // the same journals in each process of a fuzzer
	box, err := durable.New(p)
	if err != nil {
		t.Fatal(err)
	}
	box.Key, box.Host = key, json.RawMessage(`{"mac":1}`)
	return box
}

var key = []byte(strings.Repeat("k", 32))

// waiting is the journal of a run that calls a function twice and waits for two answers.
func waiting(t testing.TB, key []byte, args string) string {
	t.Helper()
	var file, saved bytes.Buffer
	_, pause, err := keyed(t, key).Start(t.Context(), sandtrap.Script{Text: "add(" + args + "); add(3, 4); go ask(`a`); fmt.Println(ask(`b`))"}, &file)
	if err != nil {
		t.Fatal(err)
	}
	if err := pause.Save(&saved); err != nil || saved.String() != file.String() {
		t.Fatalf("%v: %s\nand the Writer has %s", err, &saved, &file)
	}
	return file.String()
}

var macs = regexp.MustCompile(`,"mac":"([0-9a-f]{64})"}`)

// TestMACs: each line of a journal with a key has the HMAC-SHA256 of that of the line before and of what the line is without.
func TestMACs(t *testing.T) {
	file := waiting(t, key, "1, 2")
	last, without := []byte{}, ""
	for line := range strings.Lines(file) {
		m := macs.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no MAC: %s", line)
		}
		body := strings.Replace(strings.TrimSuffix(line, "\n"), m[0], "}", 1)
		h := hmac.New(sha256.New, key)
		h.Write(last)
		h.Write([]byte(body))
		if last = h.Sum(nil); m[1] != hex.EncodeToString(last) {
			t.Errorf("the MAC is %s, want %x", m[1], last)
		}
		without += body + "\n"
	}
	if plain := waiting(t, nil, "1, 2"); plain != without {
		t.Errorf("%s\nand without a key\n%s", without, plain)
	}
}

// TestKey: a journal with MACs is gone on with by who has the key, whatever is written after it, and by nobody else.
func TestKey(t *testing.T) {
	file := waiting(t, key, "1, 2")
	if host, err := durable.HostOf(strings.NewReader(file)); err != nil || string(host) != `{"mac":1}` {
		t.Errorf("%s, %v", host, err)
	}
	var next bytes.Buffer
	_, pause, err := keyed(t, key).Resume(t.Context(), strings.NewReader(file), &next, durable.Answer{ID: 4, Result: json.RawMessage(`"A"`)})
	if err != nil || pause == nil {
		t.Fatal(pause, err)
	}
	var last bytes.Buffer
	res, _, err := keyed(t, key).Resume(t.Context(), &next, &last, durable.Answer{ID: 3, Result: json.RawMessage(`"B"`)})
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := keyed(t, key).Replay(t.Context(), &last); err != nil || again.Stdout != res.Stdout || again.Stdout == "" {
		t.Errorf("%q, %v, want %q", again.Stdout, err, res.Stdout)
	}
	other := bytes.Repeat([]byte("K"), 32)
	for name, row := range map[string]struct {
		key  []byte
		file string
	}{"another key": {other, file}, "no key": {nil, file}, "no MACs": {key, waiting(t, nil, "1, 2")}, "no MACs and a line with one": {key, macs.ReplaceAllString(file, "}")}} {
		for _, replays := range []bool{false, true} {
			if _, _, err := gone(t, row.key, row.file, replays); !errors.Is(err, durable.ErrJournal) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, n := range []int{1, 31, 33} {
		short := make([]byte, n)
		_, _, err := keyed(t, short).Start(t.Context(), sandtrap.Script{}, nil)
		if _, _, again := gone(t, short, file, false); err == nil || again == nil || errors.Is(again, durable.ErrJournal) {
			t.Errorf("a key of %d bytes: %v, %v", n, err, again)
		}
	}
}

func gone(t testing.TB, key []byte, file string, replays bool) (*sandtrap.Result, *durable.Pause, error) {
	if replays {
		return keyed(t, key).Replay(t.Context(), strings.NewReader(file))
	}
	return keyed(t, key).Resume(t.Context(), strings.NewReader(file), nil)
}

// TestChangedJournals: a journal with MACs of which a byte or a line is another, is not there, or was put in, is no journal.
func TestChangedJournals(t *testing.T) {
	file, other := waiting(t, key, "1, 2"), waiting(t, key, "2, 1")
	lines, others := strings.SplitAfter(file, "\n"), strings.SplitAfter(other, "\n")
	lines = lines[:len(lines)-1]
	changed := map[string]string{"another journal's tail": strings.Join(append(lines[:2:2], others[2:]...), ""), "more": file + lines[1]}
	for i := range lines {
		without := strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "")
		changed[fmt.Sprint("without line ", i+1)] = without
		changed[fmt.Sprint("line ", i+1, " twice")] = strings.Join(lines[:i+1], "") + strings.Join(lines[i:], "")
		changed[fmt.Sprint("another journal's line ", i+1)] = strings.Join(lines[:i], "") + others[i] + strings.Join(lines[i+1:], "")
		if i > 0 {
			changed[fmt.Sprint("lines ", i, " and ", i+1, " swapped")] = strings.Join(lines[:i-1], "") + lines[i] + lines[i-1] + strings.Join(lines[i+1:], "")
		}
	}
	for i := range file[:len(file)-1] {
		changed[fmt.Sprint("byte ", i)] = file[:i] + string(file[i]^1) + file[i+1:]
	}
	box := keyed(t, key)
	for name, text := range changed {
		if _, _, err := box.Replay(t.Context(), strings.NewReader(text)); !errors.Is(err, durable.ErrJournal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTornKey: a journal with MACs whose process has ended is gone on with.
func TestTornKey(t *testing.T) {
	file := waiting(t, key, "1, 2")
	head := strings.IndexByte(file, '\n') + 1
	for n := head; n < len(file); n++ {
		if file[n-1] == '\n' && strings.Contains(file[head:n], "paused") {
			continue // a whole line less is no torn one
		}
		if _, pause, err := gone(t, key, file[:n], false); err != nil || pause == nil || len(pause.Pending) != 2 {
			t.Fatalf("cut at %d: %v, %v", n, pause, err)
		}
	}
}

// FuzzMACs: without the key nobody makes a journal but of the first lines of one that was made with it.
func FuzzMACs(f *testing.F) {
	file := waiting(f, key, "1, 2")
	f.Add(file, uint16(0), "")
	f.Add(file, uint16(100), "x")
	f.Add(file, uint16(len(file)), file)
	f.Add(macs.ReplaceAllString(file, "}"), uint16(0), "")
	for i := range 40 {
		f.Add(file[:len(file)*i/40], uint16(i), file[len(file)*i/40:])
	}
	box := keyed(f, key)
	f.Fuzz(func(t *testing.T, text string, at uint16, put string) {
		n := min(int(at), len(text))
		text = text[:n] + put + text[n:]
		whole := text[:strings.LastIndexByte(text, '\n')+1] // a line that is torn counts as not there
		if _, _, err := box.Replay(t.Context(), strings.NewReader(text)); !errors.Is(err, durable.ErrJournal) && !strings.HasPrefix(file, whole) {
			t.Errorf("%v: %s", err, text)
		}
	})
}
