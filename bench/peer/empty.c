/* bench/peer/empty.c: an empty program, the yardstick for start times. */
int
main(void)
{
	return 0;
}
