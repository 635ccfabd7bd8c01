import type { Become } from '../../inventory/batch.ts';

/** The line after which a script speaks; what a profile prints comes before it. */
export const BEGIN_MARK = 'fenestra-begin';

/** The line that says that whatever comes now is read by ours: before it, sudo would take it for a password. */
export const READY_MARK = 'fenestra-ready';

/** How sudo asks for the password. In the command line the sign is doubled, so that a shell that repeats it is not heard. */
export const PASSWORD_MARK = 'fenestra%asks';

/** The last word of a script: one that was cut short on its way is not run. */
const WHOLE_MARK = 'fenestra-whole';

/**
 * Has a shell wait for a line with the length of a script and run as much of what follows; the rest of the input is the
 * script's. Neither single quotes nor exclamation marks nor backslashes, each of which some shell reads in its own way.
 * Most systems' dd can read a whole script at once and not a byte more, which the script finds said in `whole`; others
 * take byte by byte. Whatever else comes than a whole script ends the shell. What was read is not kept, in case that its
 * name is one that the account hands to all programs.
 */
const READ_SCRIPT = [
  'read -r l || exit',
  'n=${l#fenestra-}',
  'whole=',
  'if [ $n = all ]; then l="$(cat)"',
  'elif l="$(dd bs=$n count=1 iflag=fullblock 2>/dev/null)"; then whole=yes',
  'else l="$(dd ibs=1 obs=4096 count=$n 2>/dev/null)"; fi',
  `case $l in *${WHOLE_MARK}) eval "unset l; $l" ;; *) exit 1 ;; esac`,
].join('; ');

/**
 * What the account's own shell reads: one line that bash, dash, busybox, zsh, fish and csh take alike, so that no part of
 * a script stands in a process list. The script's first argument is who is connected to whom, which sudo would keep from
 * it.
 */
const READER = `sh -c 'echo ${READY_MARK}; ${READ_SCRIPT}' fenestra "$SSH_CONNECTION"`;

/** How a script gets to a machine: the command line to begin with, and what it reads before the script's own input. */
export interface Bootstrap {
  readonly line: string;
  readonly input: string;
}

/** Nothing is run of a script that is cut short on its way. */
export function bootstrap(script: string, become: Become | undefined, hasInput: boolean): Bootstrap {
  const input = hasInput ? counted(script) : `fenestra-all\n${marked(script)}`;
  return { line: `${rightsLine(become)}${READER}`, input };
}

/** A script as `READ_SCRIPT` reads it, with whatever follows left alone. */
function counted(script: string): string {
  const whole = marked(script);
  return `fenestra-${Buffer.byteLength(whole)}\n${whole}`;
}

function marked(script: string): string {
  return `${script}\n# ${WHOLE_MARK}\n`;
}

function rightsLine(become: Become | undefined): string {
  if (become === undefined) return '';
  if (become.method === 'doas') return 'doas -n ';
  return become.password === undefined ? 'sudo -n ' : `sudo -S -p ${PASSWORD_MARK.replace('%', '%%')} `;
}

/** Whether only we or the superuser can write to a folder: what is in the store is run because of its name. */
export const OURS = `
uid=$(id -u)
ours() {
  case $1 in d????-??-*) ;; *) return 1 ;; esac
  [ "$2" = 0 ] || [ "$2" = "$uid" ]
}
`;

/** A word that a POSIX shell takes as it is. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
