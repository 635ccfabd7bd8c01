/** What the stand-in calls its version. */
export const STAND_IN_VERSION = 'v1.33.1';

/** Endings of the stand-in's own path: where it notes what happens to it, and the file that makes it crash. */
export const NOTES_FILE = '.notes';
export const CRASH_FILE = '.crash';

/** How it ends then. */
export const CRASH_EXIT_CODE = 3;
