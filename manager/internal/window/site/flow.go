package site

import (
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
)

func flowPage(l *look) (string, []page.Part, error) {
	var parts []page.Part
	var whys []*view.Why
	for _, st := range l.Script.Stages {
		whys = append(whys, l.Why(st.Name, "manager run"))
	}
	err := l.part(&parts, "whys", "flow-why", map[string]any{"Whys": whys, "Base": l.Base, "Now": l.Now})
	return "Flow", parts, err
}

func stagePage(l *look) (string, []page.Part, error) {
	name := l.PathValue("stage")
	var parts []page.Part
	d, err := summarize(l.Crawl, l.Past)
	if err != nil {
		return "", nil, err
	}
	for _, st := range d.Stages {
		if st.Name == name {
			err := l.part(&parts, "stage", "stage", map[string]any{"Stage": st, "Why": l.Why(name, "manager run"), "Base": l.Base, "Now": l.Now})
			return "Stage " + name, parts, err
		}
	}
	return "", nil, notFound("The script of the crawl has no stage of this name.")
}
