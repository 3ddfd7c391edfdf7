#include "cli/layers.h"
#include "cli/sha256.h"

/* Each line is `HASH PATH`: the root of the project, and what its file was. */
bool
trust_has(struct str records, struct str root, struct str text)
{
	char hex[SHA256_HEX];

	sha256_hex(text, hex);
	while (records.n) {
		size_t end = str_find(records, '\n');
		struct str line = str_cut(records, 0, end);

		if (line.n == SHA256_HEX + 1 + root.n && line.p[SHA256_HEX] == ' ' &&
		    str_eq(str_cut(line, 0, SHA256_HEX), str_of(hex, SHA256_HEX)) &&
		    str_eq(str_skip(line, SHA256_HEX + 1), root))
			return true;
		records = str_skip(records, end + 1);
	}
	return false;
}
