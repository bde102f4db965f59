package gob

// skipTop reads over a value that is no part of another.
func (d *decoding) skipTop(id int) {
	if d.kind(id) != wireStruct && d.uint() != 0 {
		d.failf("decode: corrupted data: non-zero delta for singleton")
	}
	d.skip(id)
}

// skip reads over a value that goes nowhere.
func (d *decoding) skip(id int) {
	d.m.Tick()
	d.m.Deeper()
	defer d.m.Shallower()
	switch t := d.types[id]; d.kind(id) {
	case wireBool, wireInt, wireUint, wireFloat:
		d.uint()
	case wireComplex:
		d.uint()
		d.uint()
	case wireInterface:
		if len(d.text()) > 0 {
			d.next(true)
			d.text()
		}
	case wireSlice, wireArray:
		for range d.elements(t.elem) {
			d.skip(t.elem)
		}
	case wireMap:
		for range d.elements(t.elem) {
			d.skip(t.key)
			d.skip(t.elem)
		}
	case wireStruct:
		d.fields(t, func(f wireField) { d.skip(f.id) })
	default: // bytes, a string, or what a value made of itself
		d.text()
	}
}
