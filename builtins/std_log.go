package builtins

var stdLog = Package{
	Path: "log",
	scan: true,
	Members: []Member{
		{Name: "Logger", Value: (*Logger)(nil), With: "Fatal Fatalf Fatalln Flags Output Panic Panicf Panicln Prefix Print Printf Println SetFlags SetOutput SetPrefix Writer", Why: "Go's own reads the host's time zone and ends the host"},

		{Name: "Default", Value: logDefault, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Fatal", Value: logFatal, Needs: "clock", Why: "ends the run, not the host"},
		{Name: "Fatalf", Value: logFatalf, Needs: "clock", Why: "ends the run, not the host"},
		{Name: "Fatalln", Value: logFatalln, Needs: "clock", Why: "ends the run, not the host"},
		{Name: "Flags", Value: logFlags, Why: "each run has its own logger"},
		{Name: "New", Value: logNew, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Output", Value: logOutput, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Panic", Value: logPanic, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Panicf", Value: logPanicf, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Panicln", Value: logPanicln, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Prefix", Value: logPrefix, Why: "each run has its own logger"},
		{Name: "Print", Value: logPrint, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Printf", Value: logPrintf, Needs: "clock", Why: "each run has its own logger"},
		{Name: "Println", Value: logPrintln, Needs: "clock", Why: "each run has its own logger"},
		{Name: "SetFlags", Value: logSetFlags, Why: "each run has its own logger"},
		{Name: "SetOutput", Value: logSetOutput, Why: "each run has its own logger"},
		{Name: "SetPrefix", Value: logSetPrefix, Why: "each run has its own logger"},
		{Name: "Writer", Value: logWriter, Why: "each run has its own logger"},

		{Name: "LUTC", Value: Literal("32")},
		{Name: "Ldate", Value: Literal("1")},
		{Name: "Llongfile", Value: Literal("8")},
		{Name: "Lmicroseconds", Value: Literal("4")},
		{Name: "Lmsgprefix", Value: Literal("64")},
		{Name: "Lshortfile", Value: Literal("16")},
		{Name: "LstdFlags", Value: Literal("3")},
		{Name: "Ltime", Value: Literal("2")},
	},
}
