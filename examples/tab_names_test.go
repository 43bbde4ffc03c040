package examples

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// named are the roles of what a screen reader must be able to call by a name.
var named = []string{"button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton",
	"slider", "table", "grid", "image", "img", "graphics-document", "Iframe", "meter", "progressbar", "navigation"}

// unnamed lists what a screen reader cannot call by a name or find its way by.
func (p *tab) unnamed() []string {
	p.t.Helper()
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		p.t.Fatal(err)
	}
	var wrong []string
	roles := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		role, name := plainly(n.Role), plainly(n.Name)
		roles[role]++
		if name == "" && slices.Contains(named, role) {
			wrong = append(wrong, fmt.Sprintf("a %s without a name: %s", role, p.outer(n.BackendDOMNodeID)))
		}
		if name == "" && role == "RootWebArea" {
			wrong = append(wrong, "the page has no title")
		}
	}
	if roles["main"] != 1 {
		wrong = append(wrong, fmt.Sprintf("%d landmarks main", roles["main"]))
	}
	if n := js[int](p, "document.querySelectorAll('h1').length"); n != 1 {
		wrong = append(wrong, fmt.Sprintf("%d headings h1", n))
	}
	if js[string](p, "document.documentElement.lang") == "" {
		wrong = append(wrong, "the page names no language")
	}
	if n := js[int](p, "[...document.querySelectorAll('th')].filter(e => !e.scope).length"); n > 0 {
		wrong = append(wrong, fmt.Sprintf("%d heads of tables without a scope", n))
	}
	return wrong
}

// plainly is a value of the tree as text.
func plainly(v *accessibility.Value) (text string) {
	if v == nil || json.Unmarshal(v.Value, &text) != nil {
		return ""
	}
	return text
}

// outer is the beginning of an element's text in HTML.
func (p *tab) outer(id cdp.BackendNodeID) string {
	html, err := chromedp.Call(p.ctx, dom.GetOuterHTML, dom.GetOuterHTMLParams{BackendNodeID: id})
	if err != nil {
		return err.Error()
	}
	return html.OuterHTML[:min(len(html.OuterHTML), 120)]
}
