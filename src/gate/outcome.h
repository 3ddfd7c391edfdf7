/*
 * gate/outcome.h: decision + what a door can do → what the door does.
 *
 * decide() says what the rules make of a command.  A door cannot always do that: an agent
 * may be unable to ask, a tool cannot be put into the sandbox, the journal may be full.
 * outcome_find() is the only function that turns a decision into an answer, and the table
 * in outcome.c is its whole truth.  The first row that fits counts:
 *
 *	decision    facts                         outcome
 *	any         UNRECORDED                    deny
 *	deny, ask   AGREED                        confine
 *	deny                                      deny
 *	ask, conf.  PAUSED                        pass
 *	ask         NO                            deny
 *	ask         YES, TOOL                     pass
 *	ask         YES                           confine
 *	ask         ASKS_LATER, not TOOL          ask later
 *	ask         ASKS                          ask
 *	ask                                       deny
 *	confine     TOOL, ASKS                    ask
 *	confine     TOOL                          deny
 *	allow, c.   FRAMED                        pass
 *	allow       not OTHER_SHELL               pass
 *	allow, c.   REPLACES                      confine
 *	allow, c.   ASKS                          tell, or ask
 *	allow, c.                                 tell
 *
 * MUST
 * 1. Never pass a denial on as anything else, except to a command whose every part a person
 *    agreed to, and then into the sandbox only.
 * 2. Deny what no row names.
 * 3. Be the only place outside decide/ that gives a verdict other than deny:
 *    tools/check-verdicts holds this.
 */
#pragma once
#include "decide/decide.h"

enum outcome_fact {
	/* What the door can do. */
	DOOR_TOOL = 1,        /* an agent's own tool: nothing can confine it */
	DOOR_FRAMED = 2,      /* the command calls `cordon run`, which judges it again */
	DOOR_REPLACES = 4,    /* it can put the command into the sandbox */
	DOOR_OTHER_SHELL = 8, /* the text is for another shell than bash */
	DOOR_ASKS = 16,       /* a person can be asked now */
	DOOR_ASKS_LATER = 32, /* a later event of the same call asks */
	/* What happened meanwhile. */
	WAS_PAUSED = 64,      /* the owner paused cordon, and may for this decision */
	WAS_UNRECORDED = 128, /* it must be in the journal, and is not */
	SAID_YES = 256,       /* a person agreed to this command */
	SAID_NO = 512,        /* a person refused, or did not answer in time */
	SAID_AGREED = 1024,   /* a person agreed to each command of this exec */
	OUTCOME_FACTS = 2048,
};

enum outcome {
	OUTCOME_DENY,
	OUTCOME_PASS,        /* let it run as it is */
	OUTCOME_CONFINE,     /* run it in the sandbox */
	OUTCOME_ASK,         /* ask a person */
	OUTCOME_ASK_LATER,   /* let it pass to the event that asks */
	OUTCOME_TELL,        /* refuse, and name the command that runs it in the sandbox */
	OUTCOME_TELL_OR_ASK, /* the same; a person may also let it run as it is */
};

/* `facts`: of enum outcome_fact. */
enum outcome outcome_find(enum verdict verdict, unsigned facts);

/* The verdict that an agent is told. */
enum verdict outcome_verdict(enum outcome outcome);

/* The verdict for a door that starts commands itself, in the sandbox: `cordon run` and its
 * exec gate.  Allow and confine run; a refusal keeps the verdict that it is reported as. */
enum verdict outcome_run(enum verdict verdict, unsigned facts);

/* A denial for a reason that decide() cannot know. */
struct denial {
	enum gate gate; /* 0: none */
	bool hard;
	struct str reason, fix;
};

/* Turn a decision, and each of its parts, into a denial. */
void outcome_deny(struct decision *d, const struct denial *why);
