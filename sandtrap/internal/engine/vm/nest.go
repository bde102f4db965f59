package vm

// maxNest bounds how deep values may lie in each other where the engine walks them
// on the Go stack, whose end would be that of the process.
const maxNest = 20_000

// nest counts how deep such a walk is. The walks are those of one machine; a nil
// nest counts nothing.
type nest struct {
	n      int
	m      *machine
	exact  bool // keys tell zeros and NaNs apart that Go's maps do not
	absent bool // the map that is asked for the key has no entries
}

func (d *nest) exactly() bool { return d != nil && d.exact }

// step lets a stop through in a walk over many parts.
func (d *nest) step() {
	if d != nil {
		d.m.look()
	}
}

// read lets a stop through where a long text is hashed.
func (d *nest) read(n int) {
	if d != nil && n >= longText {
		d.m.moved(n)
	}
}

const longText = 4 << 10

// same is == on texts, which may be long.
func (d *nest) same(a, b string) bool {
	if d == nil || len(a) != len(b) {
		return a == b
	}
	return d.m.sameText(a, b)
}

func (d *nest) in() {
	if d == nil {
		return
	}
	d.step()
	if d.n++; d.n > maxNest {
		d.n = 0
		panic(haltPanic{&stopped{reason: "depth", text: "values are nested too deep, or in a circle"}})
	}
}

func (d *nest) out() {
	if d != nil {
		d.n--
	}
}

// keys is the count for comparisons and map keys, which call nothing of the
// script's; a panic may have left it above zero.
func (m *machine) keys() *nest {
	if m == nil {
		return nil
	}
	m.keyNest = nest{m: m}
	return &m.keyNest
}

// deeper and shallower bracket one level of a walk that may call the script.
func (m *machine) deeper() {
	if m.walkNest++; m.walkNest > maxNest {
		m.halt(&stopped{reason: "depth", text: "values are nested too deep, or in a circle"})
	}
}

func (m *machine) shallower() { m.walkNest-- }
