import type { Become } from '../../inventory/batch-node.ts';

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
export const READ_NEXT = [
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
const READER = `sh -c 'echo ${READY_MARK}; ${READ_NEXT}' fenestra "$SSH_CONNECTION"`;

/** A shell needs no help with reading scripts that have no input of their own. */
const ROOM = 'sh -s "$SSH_CONNECTION"';

/**
 * For scripts one after the other, with these rights. The account's own shell has no more to do and makes way; one that
 * may not do so goes on to what follows.
 */
export function roomLine(rights: string): string {
  return `exec ${rights}${ROOM}; ${rights}${ROOM}`;
}

/** bash ends without a word on tens of thousands of commands in brackets. */
export const MOST_IN_ROOM = 256 * 1024;

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

/** A script as `READ_NEXT` reads it, with whatever follows left alone. */
export function counted(script: string): string {
  const whole = marked(script);
  return `fenestra-${Buffer.byteLength(whole)}\n${whole}`;
}

function marked(script: string): string {
  return `${script}\n# ${WHOLE_MARK}\n`;
}

/** What stands before a command line that is to be run with these rights. */
export function rightsLine(become: Become | undefined): string {
  if (become === undefined) return '';
  if (become.method === 'doas') return 'doas -n ';
  return become.password === undefined ? 'sudo -n ' : `sudo -S -p ${PASSWORD_MARK.replace('%', '%%')} `;
}

/** Finds out who we are there: Linux tells in a file, and every program that is started costs a millisecond or two. */
const WHO = `
uid=
if [ -r /proc/self/status ]; then
  while read -r word real effective rest; do
    if [ "$word" = Uid: ]; then uid=$effective; break; fi
  done < /proc/self/status
fi
[ -n "$uid" ] || uid=$(id -u)
`;

/**
 * Whether a folder, by its mode and owner, is ours or the superuser's, and nobody else can write to it: what lies in the
 * store is run because of its name there.
 */
export const OURS = `${WHO}
ours() {
  case $1 in d????-??-*) ;; *) return 1 ;; esac
  [ "$2" = 0 ] || [ "$2" = "$uid" ]
}
`;

/** A word that a POSIX shell takes as it is. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
