package std

import (
	"html"
	"html/template"
	texttemplate "text/template"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimtemplate "github.com/sandtrap-go/sandtrap/builtins/internal/shim/template"
)

var stdHtml = rows.Package{
	Path: "html",
	Members: []rows.Member{
		{Name: "EscapeString", Value: shimtemplate.HtmlEscapeString, Why: "its result can be far larger than what it is given"},
		{Name: "UnescapeString", Value: shim.Slow(12, html.UnescapeString), Why: "takes far longer than its text is"},
	},
}

var stdHtmlTemplate = rows.Package{
	Path: "html/template",
	Engine: "HTMLEscaper=escaper JSEscaper=escaper URLQueryEscaper=escaper IsTrue=is-true Template.AddParseTree=template-kin Template.Clone=template-clone " +
		"Template.Execute=template-execute Template.ExecuteTemplate=template-execute Template.Funcs=template-funcs Template.Lookup=template-kin Template.New=template-kin " +
		"Template.Option=template-option Template.Templates=template-kin",
	Bounded:  "Error.Error Template.DefinedTemplates Template.Lookup Template.Name Template.New Template.Option Template.Templates IsTrue Must New",
	Holds:    "New=1000 Template.New=1050",
	NeedsRun: true,
	Members: []rows.Member{
		{Name: "CSS", Value: (*template.CSS)(nil)},
		{Name: "Error", Value: (*template.Error)(nil), With: "Description Error ErrorCode Line Name Node"},
		{Name: "ErrorCode", Value: (*template.ErrorCode)(nil)},
		{Name: "FuncMap", Value: (*texttemplate.FuncMap)(nil)},
		{Name: "HTML", Value: (*template.HTML)(nil)},
		{Name: "HTMLAttr", Value: (*template.HTMLAttr)(nil)},
		{Name: "JS", Value: (*template.JS)(nil)},
		{Name: "JSStr", Value: (*template.JSStr)(nil)},
		{Name: "Srcset", Value: (*template.Srcset)(nil)},
		{Name: "Template", Value: (*template.Template)(nil), With: "DefinedTemplates Lookup Name New Option Templates Tree", Handle: true},
		{Name: "Template.AddParseTree", Value: shimtemplate.HtmlAddParseTree, Why: "scripts can make trees that contain themselves"},
		{Name: "Template.Clone", Value: shimtemplate.HtmlClone},
		{Name: "Template.Delims", Value: shimtemplate.HtmlDelims},
		{Name: "Template.Execute", Value: shimtemplate.HtmlExecute, Why: "the engine evaluates the commands of templates: data and functions are the script's"},
		{Name: "Template.ExecuteTemplate", Value: shimtemplate.HtmlExecuteTemplate, Why: "the engine evaluates the commands of templates: data and functions are the script's"},
		{Name: "Template.Funcs", Value: shimtemplate.HtmlFuncs, Why: "the functions are the script's: the engine keeps them"},
		{Name: "Template.Parse", Value: shimtemplate.HtmlParse, Why: "a tree is many times larger than its text"},
		{Name: "Template.ParseFS", Value: shimtemplate.HtmlTemplates.FsMethod, Why: "a tree is many times larger than its text"},
		{Name: "Template.ParseFiles", Value: shimtemplate.HtmlTemplates.FilesMethod, Needs: "files", Why: "the files are the script's"},
		{Name: "Template.ParseGlob", Value: shimtemplate.HtmlTemplates.GlobMethod, Needs: "files", Why: "the files are the script's"},
		{Name: "URL", Value: (*template.URL)(nil)},

		{Name: "HTMLEscape", Value: shimtemplate.TemplateHTMLEscape},
		{Name: "HTMLEscapeString", Value: shimtemplate.TemplateHTMLEscapeString},
		{Name: "HTMLEscaper", Value: shimtemplate.TemplateHTMLEscaper},
		{Name: "IsTrue", Value: template.IsTrue},
		{Name: "JSEscape", Value: shimtemplate.TemplateJSEscape},
		{Name: "JSEscapeString", Value: shimtemplate.TemplateJSEscapeString},
		{Name: "JSEscaper", Value: shimtemplate.TemplateJSEscaper},
		{Name: "Must", Value: template.Must},
		{Name: "New", Value: template.New},
		{Name: "ParseFS", Value: shimtemplate.HtmlTemplates.FsFunc, Why: "a tree is many times larger than its text"},
		{Name: "ParseFiles", Value: shimtemplate.HtmlTemplates.FilesFunc, Needs: "files", Why: "the files are the script's"},
		{Name: "ParseGlob", Value: shimtemplate.HtmlTemplates.GlobFunc, Needs: "files", Why: "the files are the script's"},
		{Name: "URLQueryEscaper", Value: shimtemplate.TemplateURLQueryEscaper},

		{Name: "ErrAmbigContext", Value: template.ErrAmbigContext},
		{Name: "ErrBadHTML", Value: template.ErrBadHTML},
		{Name: "ErrBranchEnd", Value: template.ErrBranchEnd},
		{Name: "ErrEndContext", Value: template.ErrEndContext},
		{Name: "ErrJSTemplate", Value: template.ErrJSTemplate},
		{Name: "ErrNoSuchTemplate", Value: template.ErrNoSuchTemplate},
		{Name: "ErrOutputContext", Value: template.ErrOutputContext},
		{Name: "ErrPartialCharset", Value: template.ErrPartialCharset},
		{Name: "ErrPartialEscape", Value: template.ErrPartialEscape},
		{Name: "ErrPredefinedEscaper", Value: template.ErrPredefinedEscaper},
		{Name: "ErrRangeLoopReentry", Value: template.ErrRangeLoopReentry},
		{Name: "ErrSlashAmbig", Value: template.ErrSlashAmbig},
		{Name: "OK", Value: template.OK},
	},
	Denied: []rows.Denial{},
}
