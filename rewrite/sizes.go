package rewrite

func (c *checker) hugeTypes() Rejections { return nil }
func (c *checker) bounds() Rejections    { return nil }
