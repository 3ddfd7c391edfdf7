/*
 * The text of apply_patch.  Agents parse it leniently in different ways (blanks around a
 * marker, a here-document around the patch), so treat every line that one of them could
 * read as a marker as one: judge a file too many, never one too few.
 */
#include "agents/agent.h"

static const struct {
	char mark[24];
	char tool[8]; /* empty: no file */
} marks[] = {
	{ "*** Add File:", "write" },
	{ "*** Update File:", "edit" },
	{ "*** Delete File:", "delete" },
	{ "*** Move to:", "write" },
	{ "*** Begin Patch", "" },
	{ "*** End Patch", "" },
	{ "*** End of File", "" },
};

static struct str
trim(struct str s)
{
	while (s.n && strchr(" \t\r", s.p[s.n - 1]))
		s.n--;
	while (s.n && strchr(" \t\r", s.p[0]))
		s = str_skip(s, 1);
	return s;
}

static void
take_line(struct payload *r, struct str raw)
{
	struct str line = trim(raw);

	if (!str_starts(line, STR("***")))
		return;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		struct str mark = str_from_c(marks[i].mark);

		if (!str_starts(line, mark))
			continue;
		line = trim(str_skip(line, mark.n));
		if (marks[i].tool[0] && line.n == 0)
			(void)payload_wrong(r, "the patch has a file without a name");
		else if (marks[i].tool[0])
			payload_touch(r, marks[i].tool, line, NULL);
		return;
	}
	/* After a +, - or blank it is file content; at the start of the line it is a
	 * marker. */
	if (raw.p[0] == '*')
		(void)payload_wrong(r, "the patch has an unknown marker");
}

void
payload_patch(struct payload *r, struct str patch)
{
	bool begun = false;

	while (patch.n && !r->wrong) {
		struct str line = str_cut(patch, 0, str_find(patch, '\n'));

		begun |= str_starts(trim(line), STR("*** Begin Patch"));
		take_line(r, line);
		patch = str_skip(patch, line.n + 1);
	}
	if (!begun || !r->call->touches)
		(void)payload_wrong(r, "the patch cannot be parsed");
}
