/** How long a template may be, in bytes of UTF-8. */
export const LONGEST_SOURCE = 512 * 1024;

/** How deep blocks may be nested; each `{{else if}}` is one deeper than what it follows. */
export const DEEPEST_NESTING = 32;

/** How many mustaches, and runs of text between them, a template may have. */
export const MOST_NODES = 20_000;

/** How long a mustache other than a comment may be, in characters. */
export const LONGEST_MUSTACHE = 500;

/** How many nodes one rendering may visit; every turn of a loop is one too. */
export const MOST_STEPS = 200_000;

/** How long a rendering may become, in bytes of UTF-8. */
export const LONGEST_OUTPUT = 5 * 1024 * 1024;
