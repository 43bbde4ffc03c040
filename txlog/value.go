package txlog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// timeForm is the format of every time in the log: UTC, with milliseconds.
const timeForm = "2006-01-02T15:04:05.000Z"

func (c *codec) text(s *string) {
	if c.writing {
		c.put(*s)
	} else {
		*s = string(c.take())
	}
}

func number[T ~int | ~int64 | ~uint64](c *codec, n *T) {
	if c.writing {
		c.put(strconv.FormatInt(int64(*n), 10))
		return
	}
	v, err := strconv.ParseInt(string(c.take()), 10, 64)
	c.fail(err)
	*n = T(v)
}

func (c *codec) time(t *time.Time) {
	if c.writing {
		if t.IsZero() {
			c.put("")
		} else {
			c.put(t.UTC().Format(timeForm))
		}
		return
	}
	*t = time.Time{}
	if value := c.take(); len(value) > 0 {
		var err error
		*t, err = time.Parse(timeForm, string(value))
		c.fail(err)
	}
}

func (c *codec) name(n *Name) {
	if c.text((*string)(n)); !c.writing {
		c.fail(n.check())
	}
}

func (c *codec) nameOrNone(n *Name) {
	if c.text((*string)(n)); !c.writing && *n != "" {
		c.fail(n.check())
	}
}

// either writes or reads a value that is one of two words.
func (c *codec) either(is *bool, yes, no string) {
	word := no
	if *is {
		word = yes
	}
	if c.text(&word); word != yes && word != no {
		c.unknown()
	}
	*is = word == yes
}

// A word is a flag. Its text is written if set is true.
type word struct {
	set  *bool
	text string
}

func (c *codec) flags(all ...word) {
	if c.writing {
		var words []string
		for _, w := range all {
			if *w.set {
				words = append(words, w.text)
			}
		}
		c.put(strings.Join(words, ","))
		return
	}
	value := c.take()
	if len(value) == 0 {
		return
	}
	for text := range bytes.SplitSeq(value, []byte{','}) {
		if i := slices.IndexFunc(all, func(w word) bool { return w.text == string(text) }); i >= 0 {
			*all[i].set = true
		} else {
			c.unknown()
		}
	}
}

// textField, and the functions below, write or read a field with one value. They omit a zero value.
func (c *codec) textField(key string, s *string) {
	if c.field(key, *s != "") {
		c.text(s)
	}
}

func numberField[T ~int | ~int64 | ~uint64](c *codec, key string, n *T, set bool) {
	if c.field(key, set) {
		number(c, n)
	}
}

func (c *codec) timeField(key string, t *time.Time) {
	if c.field(key, !t.IsZero()) {
		c.time(t)
	}
}

func (c *codec) durationField(key string, d *time.Duration, unit time.Duration, set bool) {
	if n := int64(*d / unit); c.field(key, set) {
		number(c, &n)
		*d = time.Duration(n) * unit
	}
}

// textsField writes or reads a field with one value for each text.
func (c *codec) textsField(key string, all *[]string) {
	if !c.field(key, len(*all) > 0) {
		return
	}
	if !c.writing {
		*all = make([]string, 0, bytes.Count(c.values, []byte{' '})+1)
	}
	for i := 0; c.another(i < len(*all)); i++ {
		if !c.writing {
			*all = append(*all, "")
		}
		c.text(&(*all)[i])
	}
}

// list writes or reads one field for each member.
func list[T any](c *codec, key string, all *[]T, values func(*T, *codec)) {
	for i := 0; c.field(key, i < len(*all)); i++ {
		if !c.writing {
			*all = append(*all, *new(T))
		}
		values(&(*all)[i], c)
	}
}
