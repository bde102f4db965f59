package builtins

import "container/ring"

var stdContainerRing = Package{
	Path:    "container/ring",
	Bounded: "Ring.Link Ring.Next Ring.Prev",
	Prints:  "*",
	Members: []Member{
		{Name: "Ring", Value: (*ring.Ring)(nil), With: "Link Next Prev Value"},
		{Name: "Ring.Do", Value: ringDo, Why: "a copy of an element is not in the ring it leads into"},
		{Name: "Ring.Len", Value: ringLen, Why: "a copy of an element is not in the ring it leads into"},
		{Name: "Ring.Move", Value: ringMove, Why: "takes as many steps as asked for"},
		{Name: "Ring.Unlink", Value: ringUnlink, Why: "takes as many steps as asked for"},

		{Name: "New", Value: ringNew, Why: "allocates as many elements as asked for"},
	},
}
