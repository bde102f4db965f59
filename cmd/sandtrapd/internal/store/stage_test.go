package store_test

import (
	"testing"
	"time"
)

// TestSharedHolder: a session that has shared its contents with a fork, and becomes something else, changes nothing of the fork's.
func TestSharedHolder(t *testing.T) {
	s, db, _ := openBeside(t)
	first := become("first", 3, 10)
	must(t, s.AddSession(session("first"), first))
	must(t, s.Fork("large", "first", session("second"), session("third")))
	second := become("second", 2, 10)
	must(t, s.Keep(second))
	check(t, s, first)
	check(t, s, second)
	if n := count(t, db, `SELECT count(*) FROM session AS a JOIN session AS b ON a.holder = b.holder WHERE a.id = 'second' AND b.id != 'second'`); n != 0 {
		t.Errorf("%d sessions have the holder of one that has become something else", n)
	}
	checkUsage(t, s, db, "large")
	must(t, s.DeleteSession("large", "second", "", nil))
	check(t, s, first)
	must(t, s.DeleteSession("large", "first", "", nil))
	check(t, s, first) // the third one has them
	must(t, s.DeleteSession("large", "third", "", nil))
	if n := count(t, db, `SELECT (SELECT count(*) FROM blob) + (SELECT count(*) FROM blob_use)`) + needless(t, db); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestStagedIsLoose: at each moment all that is written of a session which nothing has yet is noted, so that it is removed if the process is
// killed then.
func TestStagedIsLoose(t *testing.T) {
	s, db, _ := openBeside(t)
	must(t, s.AddSession(session("first"), become("first", 1, 1)))
	const noted = `SELECT (SELECT count(*) FROM blob_use WHERE holder IN (SELECT id FROM loose)), (SELECT count(*) FROM part WHERE parts IN (SELECT id FROM loose)),
		(SELECT count(*) FROM blob_use WHERE holder NOT IN (SELECT holder FROM session UNION SELECT id FROM loose))
		+ (SELECT count(*) FROM part WHERE parts NOT IN (SELECT parts FROM blob UNION SELECT id FROM loose))`
	end := time.Now().Add(time.Minute)
	for seenUses, seenParts := false, false; !seenUses || !seenParts; {
		if time.Now().After(end) {
			t.Fatalf("uses that are noted were seen: %v, parts: %v", seenUses, seenParts)
		}
		done := make(chan error, 1)
		go func() {
			k := become("first", 2500, 10)
			for hash, data := range become("first", 1, 8<<20).New {
				k.Needed[hash], k.New[hash] = true, data
			}
			done <- s.Keep(k)
		}()
		for going := true; going; {
			var uses, parts, lost int
			must(t, db.QueryRow(noted).Scan(&uses, &parts, &lost))
			if seenUses, seenParts = seenUses || uses > 0, seenParts || parts > 0; lost > 0 {
				t.Fatalf("nothing has %d rows, and they are not noted", lost)
			}
			select {
			case err := <-done:
				must(t, err)
				going = false
			default:
			}
		}
	}
}
