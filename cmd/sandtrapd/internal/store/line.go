package store

import "context"

// A Line is one of a batch.
type Line struct {
	Number int
	Data   []byte
}

// AddLines keeps lines of a batch that is not there yet: the first one has this number. They are removed unless AddBatch writes the batch.
func (s *Store) AddLines(tenant, batch string, first int, lines [][]byte) error {
	if first == 1 {
		if err := s.mine(tenant, batch); err != nil {
			return err
		}
	}
	return s.piece(func(tx *tx) error {
		for i, data := range lines {
			if _, err := tx.Exec(`INSERT INTO line (tenant, batch, line, data) VALUES (?, ?, ?, ?)`, tenant, batch, first+i, data); err != nil {
				return err
			}
		}
		return nil
	})
}

// LinesOf are the first lines of a batch after one, n at most.
func (s *Store) LinesOf(ctx context.Context, tenant, batch string, after, n int) (list []Line, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT line, data FROM line WHERE tenant = ? AND batch = ? AND line > ? ORDER BY line LIMIT ?`, tenant, batch, after, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l Line
		if err := rows.Scan(&l.Number, &l.Data); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, rows.Err()
}

// RemoveLine removes a line whose result is there. If that is lost with the power, the line is taken again, and its run is found.
func (s *Store) RemoveLine(tenant, batch string, line int) error {
	return s.updateSynced(false, func(tx *tx) error {
		_, err := tx.Exec(`DELETE FROM line WHERE tenant = ? AND batch = ? AND line = ?`, tenant, batch, line)
		return err
	})
}

// RemoveLines removes all lines of a batch. Its row, if there is one, and its runs stay.
func (s *Store) RemoveLines(tenant, batch string) error {
	if err := s.update(func(tx *tx) error { return loosen(tx, tenant, batch) }); err != nil {
		return err
	}
	return s.sweep(tenant)
}

// sweepBatch removes some lines of a batch, and some runs of one that was deleted. It reports whether there were any.
func sweepBatch(tx *tx, tenant, id string) (some bool, err error) {
	for _, statement := range []string{
		`DELETE FROM line WHERE rowid IN (SELECT rowid FROM line WHERE tenant = ?1 AND batch = ?2 LIMIT ?3)`,
		`DELETE FROM run WHERE seq IN (SELECT seq FROM run INDEXED BY run_batch WHERE tenant = ?1 AND batch = ?2 AND batch != '' AND state NOT IN ('running', 'pending') LIMIT ?3)
			AND NOT EXISTS (SELECT 1 FROM batch WHERE tenant = ?1 AND id = ?2)`,
	} {
		res, err := tx.Exec(statement, tenant, id, maxRemoved)
		if err != nil {
			return false, err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}

// A Count is how many runs of a batch are in a state, with an error of a kind, or none.
type Count struct {
	State State
	Kind  string
	N     int
}

// CountBatch counts the runs of a batch.
func (s *Store) CountBatch(ctx context.Context, tenant, batch string) (list []Count, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT state, kind, count(*) FROM run INDEXED BY run_batch WHERE tenant = ? AND batch = ? AND batch != '' GROUP BY state, kind`, tenant, batch)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c Count
		if err := rows.Scan(&c.State, &c.Kind, &c.N); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

// RunningOf are the runs of a batch that go on.
func (s *Store) RunningOf(ctx context.Context, tenant, batch string) ([]string, error) {
	return s.texts(ctx, `SELECT id FROM run INDEXED BY run_batch WHERE tenant = ? AND batch = ? AND batch != '' AND state = 'running'`, tenant, batch)
}

// Bounds of a page of runs of a batch: it ends behind the run that reaches one of them.
const (
	pageRuns  = 256
	pageBytes = 1 << 20
)

// RunsOf are runs of a batch in the order of their lines, after a line, in a page of a bounded size, without their codes, requests and
// events. They have one of these kinds, or any if there are none.
func (s *Store) RunsOf(ctx context.Context, tenant, batch string, after int, kinds ...string) (list []*Run, err error) {
	where, args := "", []any{tenant, batch, after}
	for i, kind := range kinds {
		where += []string{" AND (kind = ?", " OR kind = ?"}[min(i, 1)]
		args = append(args, kind)
	}
	if len(kinds) > 0 {
		where += ")"
	}
	rows, err := s.read.QueryContext(ctx, `SELECT id, state, line, item, kind, created, ended, result FROM run INDEXED BY run_line WHERE tenant = ? AND batch = ? AND batch != '' AND line > ?`+where+` ORDER BY line`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for size := 0; len(list) < pageRuns && size < pageBytes && rows.Next(); {
		r := &Run{Tenant: tenant, Batch: batch}
		var created, ended int64
		if err := rows.Scan(&r.ID, &r.State, &r.Line, &r.Item, &r.Kind, &created, &ended, (*[]byte)(&r.Result)); err != nil {
			return nil, err
		}
		r.Created, r.Ended = timeOf(created), timeOf(ended)
		size += len(r.Result)
		list = append(list, r)
	}
	return list, rows.Err()
}

// texts are those of a query with one column.
func (s *Store) texts(ctx context.Context, query string, args ...any) (list []string, err error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}
