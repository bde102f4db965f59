package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// A Policy is a version of one. It belongs to the server: Tenants says who may use it.
type Policy struct {
	Name, Version, Source string
	Tenants               []string          // empty for all
	Root                  string            // the path in Texts that is read first
	Texts                 map[string]string // by path
	Created               time.Time

	Revision uint64 `cbor:"-"` // in a ledger; 0 if it is in none
}

// Sources of policies.
const (
	Sent   = "sent" // by an admin
	OfFile = "file" // of the directory of the server
)

// SendPolicy keeps the next version of a policy that was sent: its number is set in p.
func (s *Store) SendPolicy(p *Policy) error {
	return s.update(func(tx *tx) error {
		var last int
		if err := tx.QueryRow(lastVersion, p.Name).Scan(&last); err != nil {
			return err
		}
		p.Source, p.Version = Sent, strconv.Itoa(last+1)
		return addPolicy(tx, p)
	})
}

// number is that of a version, 0 for one that has none: servers of a cluster give numbers, see PutPolicy.
const number = `CAST(version AS INTEGER)`

const lastVersion = `SELECT ifnull(max(` + number + `), 0) FROM policy WHERE name = ? AND source = 'sent'`

// NextVersion is the version that SendPolicy would give a policy.
func (s *Store) NextVersion(name string) (string, error) {
	var last int
	err := s.read.QueryRow(lastVersion, name).Scan(&last)
	return strconv.Itoa(last + 1), err
}

// KeepPolicy keeps a version of a policy of a file, if it is not there.
func (s *Store) KeepPolicy(p *Policy) error {
	return s.update(func(tx *tx) error { return addPolicy(tx, p) })
}

func addPolicy(tx *tx, p *Policy) error {
	_, err := tx.Exec(`INSERT INTO policy (name, version, source, tenants, root, texts, created, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (name, version) DO NOTHING`,
		p.Name, p.Version, p.Source, string(encodeList(p.Tenants)), p.Root, encodeTexts(p.Texts), p.Created.UnixNano(), p.Revision)
	return err
}

func encodeList(list []string) []byte {
	text, _ := json.Marshal(append([]string{}, list...)) // of texts it does not fail
	return text
}

func encodeTexts(texts map[string]string) []byte {
	text, _ := json.Marshal(texts) // likewise
	return text
}

const policyColumns = `name, version, source, tenants, root, texts, created`

// Policy is a version of a policy, or the newest one that was sent if version is empty.
func (s *Store) Policy(ctx context.Context, name, version string) (*Policy, error) {
	row := s.read.QueryRowContext(ctx, `SELECT `+policyColumns+` FROM policy WHERE name = ? AND (version = ? OR ? = '' AND source = 'sent') ORDER BY `+number+` DESC, seq DESC LIMIT 1`, name, version, version)
	p, err := scanPolicy(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("policy: %w", ErrNone)
	}
	return p, err
}

// SentPolicies are the newest versions of those that were sent, by name.
func (s *Store) SentPolicies(ctx context.Context) (list []*Policy, err error) {
	return s.policies(ctx, `SELECT `+policyColumns+` FROM policy AS p WHERE source = 'sent' AND `+number+` =
		(SELECT max(`+number+`) FROM policy WHERE source = 'sent' AND name = p.name) ORDER BY name`)
}

func (s *Store) policies(ctx context.Context, query string, args ...any) (list []*Policy, err error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		p, err := scanPolicy(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

func scanPolicy(scan func(...any) error) (*Policy, error) {
	var p Policy
	var tenants string
	var texts []byte
	var created int64
	if err := scan(&p.Name, &p.Version, &p.Source, &tenants, &p.Root, &texts, &created); err != nil {
		return nil, err
	}
	p.Created = time.Unix(0, created).UTC()
	return &p, errors.Join(json.Unmarshal([]byte(tenants), &p.Tenants), json.Unmarshal(texts, &p.Texts))
}
