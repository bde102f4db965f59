package mutate

// ledgerRows are defences of the ledger: against runs that have two outcomes, go on twice, or are lost.
func ledgerRows() []Mutation {
	const dir, pkg = "cmd/sandtrapd/internal/ledger/", "./cmd/sandtrapd/internal/ledger"
	return []Mutation{
		{
			ID: "ledger/compare-and-set", Defence: "of servers that change a run at a time one does",
			File: dir + "bucket.go", Old: "l.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(expect))", New: "l.js.PublishMsg(ctx, m)",
			Package: pkg, Test: "TestOnce",
		},
		{
			ID: "ledger/fence", Defence: "a server whose run goes on elsewhere does not change it",
			File: dir + "change.go", Old: "if r.State != store.Running || r.Owner != l.id {", New: "if r.State != store.Running {",
			Package: pkg, Test: "TestFenced",
		},
		{
			ID: "ledger/claim", Defence: "the run of a silent server goes on in one other server",
			File: dir + "change.go", Old: "if r.State != store.Running || r.Owner != server {", New: "if r.State != store.Running {",
			Package: pkg, Test: "TestClaimed",
		},
		{
			ID: "ledger/begun", Defence: "a run that has begun, and may not be done again, has failed when its server is lost",
			File: dir + "ledger.go", Old: "l.seq(r.Created), 0, \"\", l.owner(r), 1", New: "l.seq(r.Created), 0, \"\", l.owner(r), 0",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestServerGone",
		},
		{
			ID: "ledger/outcome", Defence: "the outcome of a cell is not lost between what its session has become and its run",
			File: dir + "takeover.go", Old: "if done, err := l.settleRun(ctx, o); done || err != nil {", New: "if done, err := false, error(nil); done || err != nil {",
			Package: pkg, Test: "TestOutcomeOfCell",
		},
		{
			ID: "ledger/lease", Defence: "a server whose session another one has taken keeps nothing of it",
			File: dir + "keep.go", Old: "entry{Session: &now}, le.object, le.revision)", New: "entry{Session: &now}, le.object, func() uint64 { _, at, _ := l.sessionOf(ctx, k.Tenant, k.Session); return at }())",
			Package: pkg, Test: "TestFencedUnheard",
		},
		{
			ID: "ledger/name", Defence: "of servers that make a session of one name at a time one does",
			File: dir + "name.go", Old: "if err == nil || time.Since(before.Named.Since) < nameFor {", New: "if err == nil {",
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestNamesShared",
		},
		{
			ID: "sessions/lease", Defence: "cells of a session at several servers come one after the other",
			File: "cmd/sandtrapd/internal/ledger/lease.go", Old: `owner == "" || owner == l.id ||`, New: `owner != "-" ||`,
			Package: "./cmd/sandtrapd/internal/sessions", Test: "TestOneAtATime",
		},
		{
			ID: "batches/adopt", Defence: "lines of a batch go on that a server has begun before it joins a cluster",
			File: "cmd/sandtrapd/internal/batches/adopt.go", Old: "if err := q.Add(ctx, of, line.Number, [][]byte{line.Data}); err != nil {", New: "if err := error(nil); err != nil {",
			Package: "./cmd/sandtrapd/internal/batches", Test: "TestAdopted",
		},
		{
			ID: "ledger/ended", Defence: "a session goes on that a server has not given up which was killed, and is there again",
			File: dir + "lease.go", Old: "return err == nil && string(m.Data) == noLease, err", New: "return false && string(m.Data) == noLease, err",
			Package: pkg, Test: "TestLeaseOfOne",
		},
		{
			ID: "ledger/end", Defence: "a ledger that has lost its end gets it again",
			File: dir + "catch.go", Old: "if err := l.restore(ctx, last); err != nil {", New: "if err := error(nil); err != nil {",
			Package: pkg, Test: "TestLostEnd",
		},
		{
			ID: "ledger/end-hidden", Defence: "a server that starts notices that the ledger has lost its end, though another one has written more since",
			File: dir + "catch.go", Old: "found = there.Time.Equal(m.Time)", New: "found = there != nil",
			Package: pkg, Test: "TestLostEndHidden",
		},
		{
			ID: "ledger/end-running", Defence: "servers that run notice that the ledger may have lost its end",
			File: dir + "current.go", Old: "name == l.feed.name && end >= seen", New: "(name != l.id || end >= seen)",
			Package: pkg, Test: "TestLostEndRunning",
		},
		{
			ID: "ledger/feed-of-now", Defence: "a feed does not go on over the end that a ledger has lost",
			File: dir + "feed.go", Old: "if meta.Consumer != f.name {", New: "if meta.Consumer == l.id {",
			Package: pkg, Test: "TestLostEndRunning",
		},
		{
			ID: "ledger/awaited", Defence: "an entry whose object comes late is brought again when its server has started again meanwhile",
			File: dir + "reach.go", Old: "&& !l.awaits()", New: "&& true",
			Package: pkg, Test: "TestAwaitedAgain",
		},
		{
			ID: "ledger/mark-late", Defence: "a server that ends between the ledger and its own store has both when it starts again",
			File: "cmd/sandtrapd/internal/store/marks.go", Old: "now.Sub(one.at) >= markAfter &&", New: "now.Sub(one.at) >= 0 &&",
			Package: pkg, Test: "TestKilledBetween",
		},
		{
			ID: "ledger/doubt", Defence: "an entry is here that is in the ledger after all, though its server was told of an error",
			File: dir + "bucket.go", Old: "l.doubt(tenant, id)", New: "_ = id",
			Package: pkg, Test: "TestLateOwn",
		},
		{
			ID: "ledger/here-later", Defence: "an entry is here later that could be written to the ledger alone",
			File: dir + "doubt.go", Old: "if err != nil && !errors.Is(err, store.ErrState) && !errors.Is(err, store.ErrNone) {", New: "if false {",
			Package: pkg, Test: "TestHereLater",
		},
		{
			ID: "ledger/deleted-meanwhile", Defence: "a server that was killed does not bring back what another one has deleted since",
			File: dir + "catch.go", Old: "return nil, 0, in.First > 0 && revision >= in.First, nil", New: "return nil, 0, false, nil",
			Package: pkg, Test: "TestDeletedMeanwhile",
		},
		{
			ID: "ledger/deleted", Defence: "a server that was away does not keep what was deleted meanwhile",
			File: dir + "catch.go", Old: "if info.State.Subjects[subject(o.Tenant, o.ID)] > 0 ||", New: "if true ||",
			Package: pkg, Test: "TestDeleted",
		},
		{
			ID: "ledger/deleted-lost", Defence: "what was deleted is removed from a ledger that has lost its end, and has it again",
			File: dir + "catch.go", Old: "if err := l.deleteLost(ctx, last); err != nil {", New: "if err := error(nil); err != nil {",
			Package: pkg, Test: "TestLostEndDeleted",
		},
		{
			ID: "ledger/deleted-again", Defence: "a run that was deleted here, and that another server brings again, is deleted there",
			File: "cmd/sandtrapd/internal/store/shared.go", Old: "if is, err = deleteAgain(tx, r.Tenant, r.ID, r.Created, r.Revision, r.Object); err != nil || is {", New: "if is, err = false, nil; err != nil || is {",
			Package: pkg, Test: "TestBroughtAgain",
		},
		{
			ID: "ledger/deleted-held", Defence: "a session or a snapshot that was deleted here, and that another server brings again, is deleted there",
			File: dir + "deleted.go", Old: "; err != nil || !is {", New: "; err != nil || is || !is {\n\t\tis = false",
			Package: pkg, Test: "TestBroughtAgain",
		},
		{
			ID: "ledger/deleted-bounded", Defence: "what is known of deletions is bounded",
			File: "cmd/sandtrapd/internal/store/mark.go", Old: "if err := forgetDeleted(tx); err != nil {", New: "if err := error(nil); err != nil {",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestDeletedBounded",
		},
		{
			ID: "ledger/changing", Defence: "an entry that another server changes all the time is not tried again in a hot loop",
			File: dir + "lease.go", Old: "func (l *Ledger) changing(ctx context.Context) error { return l.pause(ctx, askEach/10) }", New: "func (l *Ledger) changing(ctx context.Context) error { return l.pause(ctx, 0) }",
			Package: pkg, Test: "TestChangedAllTheTime",
		},
		{
			ID: "ledger/twice-clock", Defence: "of copies of a data directory the one that was there first stays, whatever clocks say",
			File: "cmd/sandtrapd/internal/peers/about.go", Old: "	if to.Rank == 0 {", New: "	if true {",
			Package: "./cmd/sandtrapd/internal/peers", Test: "TestTwice",
		},
		{
			ID: "ledger/twice-late", Defence: "a beat that is late ends no server",
			File: "cmd/sandtrapd/internal/peers/about.go", Old: "	if g.others[b.Instance] < 2 {", New: "	if g.others[b.Instance] < 1 {",
			Package: "./cmd/sandtrapd/internal/peers", Test: "TestTwiceLate",
		},
		{
			ID: "ledger/made-again", Defence: "what is made again under an ID that was deleted stays",
			File: dir + "catch.go", Old: "; is || err != nil { // and made again", New: "; is && err != nil {",
			Package: pkg, Test: "TestMadeAgain",
		},
		{
			ID: "ledger/paused", Defence: "a server that was held up deletes no object that the next owner of a session has written",
			File: dir + "keep.go", Old: "l.forget(leaves...)", New: "_ = leaves; l.forget(l.leaves(ctx, k.Session, le.session.Contents.Objects, c.Objects)...)",
			Package: pkg, Test: "TestPausedOwner",
		},
		{
			ID: "ledger/key", Defence: "a run with a key begins at one server",
			File: dir + "ledger.go", Old: "return keyedID(tenant, key)", New: `return keyedID(tenant, key+l.id)`,
			Package: pkg, Test: "TestKey",
		},
		{
			ID: "ledger/revoked-here", Defence: "a key that was revoked here is not taken from a ledger that still has it",
			File: "cmd/sandtrapd/internal/ledger/key.go", Old: "there.Key.Revoked || !k.Revoked", New: "true",
			Package: pkg, Test: "TestKeys",
		},
		{
			ID: "ledger/late", Defence: "a server whose feed is late does not refuse keys while it follows",
			File: "cmd/sandtrapd/internal/store/looks.go", Old: "for len(*l) > 0 && (*l)[0].revision <= revision {", New: "for len(*l) > 0 && (*l)[len(*l)-1].revision <= revision {",
			Package: "./cmd/sandtrapd/internal/store", Test: "TestLate",
		},
		{
			ID: "ledger/keys-cut-off", Defence: "keys that may have been revoked elsewhere are not good",
			File: "cmd/sandtrapd/internal/keys/ring.go", Old: "!r.keys[at].File && r.current != nil && !r.current()", New: "false",
			Package: "./cmd/sandtrapd/internal/keys", Test: "TestWhile",
		},
		{
			ID: "ledger/revoked-stays", Defence: "no server brings a key back that another one has revoked",
			File: dir + "key.go", Old: "return l.shareKey(context.Background(), store.Key{Hash: hash, Revoked: true})",
			New:     "_, at, _ := l.getEntry(context.Background(), ofAll, keyID(hash)); return errors.Join(l.remove(context.Background(), store.Owned{ID: keyID(hash), Revision: at}), l.PutKey(store.Key{Hash: hash, Revoked: true, Revision: at}))",
			Package: pkg, Test: "TestKeysBefore",
		},
		{
			ID: "ledger/batch-away", Defence: "a server that was away does not keep a batch that was deleted meanwhile",
			File: dir + "catch.go", Old: "held = append(held, store.Held{Tenant: b.Tenant, ID: b.ID, Revision: b.Revision})", New: "_ = b",
			Package: pkg, Test: "TestBatchDeletedAway",
		},
	}
}
