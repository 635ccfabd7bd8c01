/** A restart at once; one that is put off leaves the time to note what was done. */
export const RESTART =
  /(?<=^|[;{}&|])[\t ]*(?:Restart-Computer\b|(?:\S*\\)?shutdown(?:\.exe)?(?=[\t ][^\r\n]*[-/][rgs]\b)[^\r\n]*[-/]t[\t ]+\d\b)/im;

/** What to say of it. */
export const RESTART_MESSAGE = 'the machine may restart before it is noted that all this was run';
