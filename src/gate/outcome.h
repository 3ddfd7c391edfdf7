/*
 * gate/outcome.h: decision + abilities of a door → what the door does.
 *
 * decide() applies the rules to a command.  A door cannot always do what they say: an agent
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
 * 1. Never turn a denial into anything else.  One exception: a command whose every part a
 *    person agreed to, which then runs in the sandbox only.
 * 2. Deny every combination that no row names.
 * 3. Be the only place outside decide/ that gives a verdict other than deny;
 *    tools/check-verdicts enforces this.
 */
#pragma once
#include "decide/decide.h"

enum outcome_fact {
	/* Abilities of the door. */
	DOOR_TOOL = 1,        /* an agent's own tool: nothing can confine it */
	DOOR_FRAMED = 2,      /* the command calls `cordon run`, which judges it again */
	DOOR_REPLACES = 4,    /* the door can put the command into the sandbox */
	DOOR_OTHER_SHELL = 8, /* the text is for a shell other than bash */
	DOOR_ASKS = 16,       /* a person can be asked now */
	DOOR_ASKS_LATER = 32, /* a later event of the same call asks */
	/* Events since the decision. */
	WAS_PAUSED = 64, /* the owner paused cordon, and a pause may lift this decision */
	WAS_UNRECORDED = 128, /* the required journal record could not be written */
	SAID_YES = 256,       /* a person agreed to this command */
	SAID_NO = 512,        /* a person refused, or did not answer in time */
	SAID_AGREED = 1024,   /* a person agreed to each command of this exec */
	OUTCOME_FACTS = 2048,
};

enum outcome {
	OUTCOME_DENY,
	OUTCOME_PASS,        /* let the command run unchanged */
	OUTCOME_CONFINE,     /* run it in the sandbox */
	OUTCOME_ASK,         /* ask a person */
	OUTCOME_ASK_LATER,   /* let the call pass to the later event that asks */
	OUTCOME_TELL,        /* refuse, and name the command that runs it in the sandbox */
	OUTCOME_TELL_OR_ASK, /* like TELL, but a person may also let the command run
				unchanged */
};

/* Find the outcome; `facts` is a set of enum outcome_fact. */
enum outcome outcome_find(enum verdict verdict, unsigned facts);

/* The verdict reported to an agent. */
enum verdict outcome_verdict(enum outcome outcome);

/* The verdict for a door that starts commands itself, in the sandbox: `cordon run` and its
 * exec gate.  Allow and confine run; a refusal keeps the verdict it is reported as. */
enum verdict outcome_run(enum verdict verdict, unsigned facts);

/* A denial for a reason that decide() cannot know. */
struct denial {
	enum gate gate; /* 0: none */
	bool hard;
	struct str reason, fix;
};

/* Turn a decision and each of its parts into a denial. */
void outcome_deny(struct decision *d, const struct denial *why);
