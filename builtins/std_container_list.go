package builtins

import "container/list"

var stdContainerList = Package{
	Path:    "container/list",
	Bounded: "Element.Next Element.Prev List.Back List.Front List.Init List.Len List.MoveAfter List.MoveBefore List.MoveToBack List.MoveToFront List.Remove New",
	Prints:  "*",
	Members: []Member{
		{Name: "Element", Value: (*list.Element)(nil), With: "Next Prev Value"},
		{Name: "List", Value: (*list.List)(nil), With: "Back Front Init Len MoveAfter MoveBefore MoveToBack MoveToFront Remove"},
		{Name: "List.InsertAfter", Value: listInsertAfter, Why: "allocates on the host's side"},
		{Name: "List.InsertBefore", Value: listInsertBefore, Why: "allocates on the host's side"},
		{Name: "List.PushBack", Value: listPushBack, Why: "allocates on the host's side"},
		{Name: "List.PushBackList", Value: listPushBackList, Why: "allocates on the host's side"},
		{Name: "List.PushFront", Value: listPushFront, Why: "allocates on the host's side"},
		{Name: "List.PushFrontList", Value: listPushFrontList, Why: "allocates on the host's side"},

		{Name: "New", Value: list.New},
	},
}
