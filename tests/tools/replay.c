/*
 * tests/tools/replay.c: a fuzz target's main without a fuzzer: runs it once on each file,
 * and on each file of each folder, that is named.  Says how many there were, or which one
 * was the last.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static char current[4096];
static int count;

static void
tell(void)
{
	if (write(2, "input: ", 7) < 0 || write(2, current, strlen(current)) < 0 ||
	    write(2, "\n", 1) < 0)
		_exit(2);
}

static void
on_abort(int signal_number)
{
	tell();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void
replay_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	struct stat st;
	uint8_t *data;

	if (!f || fstat(fileno(f), &st)) {
		perror(name);
		exit(2);
	}
	snprintf(current, sizeof current, "%s", name);
	/* Exactly as large as the input, so that the sanitizer sees each byte too far. */
	data = malloc((size_t)st.st_size);
	LLVMFuzzerTestOneInput(data, fread(data, 1, (size_t)st.st_size, f));
	free(data);
	fclose(f);
	count++;
}

static void
replay(const char *name)
{
	DIR *folder = opendir(name);

	if (!folder) {
		replay_file(name);
		return;
	}
	for (struct dirent *e; (e = readdir(folder));) {
		char path[4096];

		snprintf(path, sizeof path, "%s/%s", name, e->d_name);
		if (e->d_name[0] != '.')
			replay_file(path);
	}
	closedir(folder);
}

int
main(int argc, char **argv)
{
	signal(SIGABRT, on_abort);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(tell);
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	printf("%d inputs\n", count);
	return count ? 0 : 2;
}
