/** What cloudbase-init makes of a script's exit code. */
export interface ExitMeaning {
  readonly reboots: boolean;
  readonly runsAgain: boolean;
}

/** A script that is the user-data itself, or a part of it. Only three codes mean anything. */
export function exitOfScript(code: number): ExitMeaning {
  if (code < 1001 || code > 1003) return { reboots: false, runsAgain: false };
  return { reboots: code % 2 === 1, runsAgain: code >= 1002 };
}

/** The script of `runcmd`: a wish for a reboot comes back as 1003, and 1002 is lost. */
export function exitOfRuncmd(code: number): ExitMeaning {
  const { reboots } = exitOfScript(code);
  return { reboots, runsAgain: reboots };
}
