package vm

import "github.com/sandtrap-go/sandtrap/internal/jsontext"

// anyValue is the next value as []any, map[string]any, string, number, bool or nil.
func (d *jsonDecoder) anyValue() any {
	d.m.look()
	d.m.deeper()
	defer d.m.shallower()
	switch d.data[d.pos] {
	case '[':
		return d.anyList()
	case '{':
		return d.anyObject()
	}
	lit := d.literal()
	switch lit[0] {
	case 'n':
		return nil
	case 't', 'f':
		return lit[0] == 't'
	case '"':
		text, _ := jsontext.Unquote(lit, d.m.costs())
		d.m.charge(nativeBytes)
		return d.string(text)
	}
	x, _ := d.number(lit)
	return x
}

func (d *jsonDecoder) anyList() any {
	m := d.m
	v := m.newVal(universe.anySlice)
	d.pos++
	n := 0
	for last := d.empty(']'); !last; last = d.comma() {
		d.space()
		x := d.anyValue()
		d.m.growSlice(v, n+1)
		v.index(m, n).setRef(x)
		n++
	}
	d.cut(v, n)
	return v.iface(m)
}

func (d *jsonDecoder) anyObject() any {
	m := d.m
	m.alloc(mapBytes)
	h := follow(m, newMap(universe.anyMap))
	d.pos++
	key, elem := newObj(1, mS, 1), newObj(1, mR, 1)
	for last := d.empty('}'); !last; last = d.comma() {
		_, text := d.key()
		key.S[0] = d.string(text)
		x := d.anyValue()
		elem.R[0] = x
		m.putEntry(h, key, 0, elem, 0)
	}
	m.alloc(ifaceBytes)
	return follow(m, &Iface{T: universe.anyMap, R: h})
}
