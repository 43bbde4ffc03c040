package terms

import "testing"

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		status, n, short int
		want             Verdict
	}{
		{0, 0, X4Short, Empty},
		{199, 900, X4Short, Invalid},
		{300, 900, X4Short, Invalid},
		{404, 900, X4Short, Invalid},
		{200, 0, X4Short, NoText},
		{200, 0, 0, NoText},
		{299, 49, X4Short, Short},
		{200, 50, X4Short, Classifiable},
		{200, 1, 1, Classifiable},
	} {
		if got := Judge(c.status, c.n, c.short); got != c.want {
			t.Errorf("Judge(%d, %d, %d) = %v, want %v", c.status, c.n, c.short, got, c.want)
		}
	}
}

func TestVerdictNames(t *testing.T) {
	got := ""
	for v := Classifiable; v <= Short; v++ {
		got += v.String() + " "
	}
	if want := "CLASSIFIABLE EMPTY INVALID NO-TEXT SHORT "; got != want {
		t.Errorf("names are %q, want %q", got, want)
	}
}
