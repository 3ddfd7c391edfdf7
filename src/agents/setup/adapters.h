/* agents/setup/adapters.h: text of the adapters that are built into the program. */
#pragma once
#include "agents/setup/setup.h"

/* Return the adapter of this agent; .p == NULL if it needs none. */
struct str setup_adapter(enum agent agent);
