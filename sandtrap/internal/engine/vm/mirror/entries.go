package mirror

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// A Pair is a key of a map with its element.
type Pair struct{ Key, Elem Val }

// pairs copies what a map holds: the script may change it while it is walked.
func (v Val) pairs(m *exec.Machine) []Pair {
	h, _ := v.Ref().(*exec.Map)
	if h = h.Solid(); h == nil {
		return nil
	}
	list := newPairs(m, v, h)
	for row := 0; row < h.Rows && len(list.all) < h.Count; row++ {
		if row&0xfff == 0 {
			m.PollNow()
		}
		if h.Alive[row] {
			list.add(row)
		}
	}
	return list.all
}

// Entries are pairs in the order in which fmt prints maps.
func (v Val) Entries(m *exec.Machine) []Pair {
	h, _ := v.Ref().(*exec.Map)
	if h = h.Solid(); h == nil {
		return nil
	}
	list := newPairs(m, v, h)
	for _, row := range printer.SortedRows(m, h) {
		m.Poll()
		list.add(row)
	}
	return list.all
}

// A pairList copies rows of a map.
type pairList struct {
	h           *exec.Map
	keys, elems *ir.Obj
	flag        valFlag
	all         []Pair
}

func newPairs(m *exec.Machine, v Val, h *exec.Map) *pairList {
	kt, et := h.T.Key, h.T.Elem
	m.Charge(int64(h.Count) * (96 + 2*ir.ObjBytes + ir.CellsBytes(kt.Cells) + ir.CellsBytes(et.Cells)))
	return &pairList{
		h, ir.NewObj(kt.W(), ir.BankI|ir.BankS|ir.BankR, h.Count), ir.NewObj(et.W(), ir.BankI|ir.BankS|ir.BankR, h.Count),
		v.flag & hidden, make([]Pair, 0, h.Count),
	}
}

func (l *pairList) add(row int) {
	kt, et, i := l.h.T.Key, l.h.T.Elem, len(l.all)
	exec.RawCopy(kt.Cells, l.keys, i*kt.W(), l.h.Keys, row*kt.W())
	exec.RawCopy(et.Cells, l.elems, i*et.W(), l.h.Vals, row*et.W())
	l.all = append(l.all, Pair{Val{T: kt, O: l.keys, k: i * kt.W(), flag: l.flag}, Val{T: et, O: l.elems, k: i * et.W(), flag: l.flag}})
}

// Lookup is the value of a key, which is of the map's key type; none if it is not there.
func (v Val) Lookup(m *exec.Machine, key Val) (elem Val, ok bool) {
	h, isMap := v.Ref().(*exec.Map)
	if !isMap || h.Len() == 0 {
		return Val{}, false
	}
	kb, k := key.cells(m)
	if h.View != nil {
		found := h.View.Get(h.View.Key(h.T, kb, k))
		if !found.IsValid() {
			return Val{}, false
		}
		elem = ZeroOf(h.T.Elem)
		elem.Put(m, found)
		return elem, true
	}
	row := h.Find(m.Keys(), kb, k)
	if row < 0 {
		return Val{}, false
	}
	e := Val{T: h.T.Elem, O: h.Vals, k: row * h.T.Elem.W()}
	return Val{T: h.T.Elem, O: e.Load(m)}, true
}
