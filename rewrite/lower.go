package rewrite

// Compile runs all stages on src.
func Compile(src Source, b Bounds, u Universe, inputs []Input) (*Program, error) {
	parsed, err := Parse(src, b)
	if err != nil {
		return nil, err
	}
	checked, err := parsed.Check(u, inputs)
	if err != nil {
		return nil, err
	}
	return checked.Lower()
}

// Lower writes the gates into the syntax of c, which is used up, and verifies
// the result.
func (c *Checked) Lower() (*Program, error) {
	p := &Program{fset: c.fset, info: c.info, pkg: c.pkg, source: c.source, echoes: c.echoes}
	return p, Verify(p)
}
