package builtins

import "container/heap"

var stdContainerHeap = Package{
	Path:    "container/heap",
	Bounded: "Fix Init Pop Push Remove",
	Members: []Member{
		{Name: "Interface", Value: (*heap.Interface)(nil)},

		{Name: "Fix", Value: heap.Fix},
		{Name: "Init", Value: heap.Init},
		{Name: "Pop", Value: heap.Pop},
		{Name: "Push", Value: heap.Push},
		{Name: "Remove", Value: heap.Remove},
	},
}
