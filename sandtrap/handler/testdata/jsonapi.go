/*
GET /items
---
POST /items
Content-Type: application/json

{"name":"pen","price":1.5}
---
POST /items

{"name":
---
POST /items

{"nome":"x"}
---
GET /items
---
GET /items/1
---
GET /items/x
---
GET /items/99
---
PUT /items/1

{"name":"ink","price":2}
---
DELETE /items/1
---
DELETE /items/1
---
PATCH /items/1
---
GET /items/
---
HEAD /items
---
GET /nothing
*/
package main

import (
	"encoding/json"
	"net/http"
	"sort"
	"strconv"
	"sync"
)

type Item struct {
	ID    int     `json:"id"`
	Name  string  `json:"name"`
	Price float64 `json:"price,omitempty"`
}

type Store struct {
	mu    sync.RWMutex
	items map[int]Item
	next  int
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (s *Store) list(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	items := make([]Item, 0, len(s.items))
	for _, it := range s.items {
		items = append(items, it)
	}
	sort.Slice(items, func(i, j int) bool { return items[i].ID < items[j].ID })
	writeJSON(w, http.StatusOK, items)
}

func (s *Store) create(w http.ResponseWriter, r *http.Request) {
	var it Item
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&it); err != nil {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	it.ID = s.next
	s.items[it.ID] = it
	w.Header().Set("Location", "/items/"+strconv.Itoa(it.ID))
	writeJSON(w, http.StatusCreated, it)
}

func (s *Store) byID(w http.ResponseWriter, r *http.Request) (Item, bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "bad id"})
		return Item{}, false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	it, ok := s.items[id]
	if !ok {
		writeJSON(w, http.StatusNotFound, map[string]string{"error": "not found"})
	}
	return it, ok
}

func Handler() http.Handler {
	s := &Store{items: map[int]Item{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items", s.list)
	mux.HandleFunc("POST /items", s.create)
	mux.HandleFunc("GET /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		if it, ok := s.byID(w, r); ok {
			writeJSON(w, http.StatusOK, it)
		}
	})
	mux.HandleFunc("PUT /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		it, ok := s.byID(w, r)
		if !ok {
			return
		}
		id := it.ID
		if err := json.NewDecoder(r.Body).Decode(&it); err != nil {
			writeJSON(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
			return
		}
		it.ID = id
		s.mu.Lock()
		s.items[id] = it
		s.mu.Unlock()
		writeJSON(w, http.StatusOK, it)
	})
	mux.HandleFunc("DELETE /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		if it, ok := s.byID(w, r); ok {
			s.mu.Lock()
			delete(s.items, it.ID)
			s.mu.Unlock()
			w.WriteHeader(http.StatusNoContent)
		}
	})
	return mux
}

func main() {}
