package std

import (
	"container/heap"
	"container/list"
	"container/ring"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimcontainer "github.com/sandtrap-go/sandtrap/builtins/internal/shim/container"
)

var stdContainerHeap = rows.Package{
	Path:    "container/heap",
	Engine:  "*=formats",
	Bounded: "Fix Init Pop Push Remove",
	Members: []rows.Member{
		{Name: "Interface", Value: (*heap.Interface)(nil)},

		{Name: "Fix", Value: heap.Fix},
		{Name: "Init", Value: heap.Init},
		{Name: "Pop", Value: heap.Pop},
		{Name: "Push", Value: heap.Push},
		{Name: "Remove", Value: heap.Remove},
	},
}

var stdContainerList = rows.Package{
	Path:    "container/list",
	Engine:  "*=formats",
	Bounded: "Element.Next Element.Prev Element.Value List.Back List.Front List.Init List.Len List.MoveAfter List.MoveBefore List.MoveToBack List.MoveToFront List.Remove New",
	Prints:  "*",
	Members: []rows.Member{
		{Name: "Element", Value: (*list.Element)(nil), With: "Next Prev Value"},
		{Name: "Element.Value", Value: func(e *list.Element) *any { return &e.Value }},
		{Name: "List", Value: (*list.List)(nil), With: "Back Front Init Len MoveAfter MoveBefore MoveToBack MoveToFront Remove"},
		{Name: "List.InsertAfter", Value: shimcontainer.ListInsertAfter, Why: "allocates on the host's side"},
		{Name: "List.InsertBefore", Value: shimcontainer.ListInsertBefore, Why: "allocates on the host's side"},
		{Name: "List.PushBack", Value: shimcontainer.ListPushBack, Why: "allocates on the host's side"},
		{Name: "List.PushBackList", Value: shimcontainer.ListPushBackList, Why: "allocates on the host's side"},
		{Name: "List.PushFront", Value: shimcontainer.ListPushFront, Why: "allocates on the host's side"},
		{Name: "List.PushFrontList", Value: shimcontainer.ListPushFrontList, Why: "allocates on the host's side"},

		{Name: "New", Value: list.New},
	},
}

var stdContainerRing = rows.Package{
	Path:    "container/ring",
	Engine:  "*=formats",
	Bounded: "Ring.Link Ring.Next Ring.Prev",
	Prints:  "*",
	Members: []rows.Member{
		{Name: "Ring", Value: (*ring.Ring)(nil), With: "Link Next Prev Value"},
		{Name: "Ring.Do", Value: shimcontainer.RingDo, Why: "a copy of an element is not in the ring it leads into"},
		{Name: "Ring.Len", Value: shimcontainer.RingLen, Why: "a copy of an element is not in the ring it leads into"},
		{Name: "Ring.Move", Value: shimcontainer.RingMove, Why: "takes as many steps as asked for"},
		{Name: "Ring.Unlink", Value: shimcontainer.RingUnlink, Why: "takes as many steps as asked for"},

		{Name: "New", Value: shimcontainer.RingNew, Why: "allocates as many elements as asked for"},
	},
}
