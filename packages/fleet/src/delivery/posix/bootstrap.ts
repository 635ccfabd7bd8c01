import type { Become } from '../../inventory/batch-node.ts';

/** The line after which a script speaks; what a profile prints comes before it. */
export const BEGIN_MARK = 'fenestra-begin';

/** The line that says that whatever comes now is read by ours: before it, sudo would take it for a password. */
export const READY_MARK = 'fenestra-ready';

/** How sudo asks for the password. In the command line the sign is doubled, so that a shell that repeats it is not heard. */
export const PASSWORD_MARK = 'fenestra%asks';

/** Neither single quotes nor exclamation marks nor backslashes, each of which some shell reads in its own way. */
const READER_SCRIPT = [
  `echo ${READY_MARK}`,
  'read -r l',
  'if [ $l = fenestra-all ]; then l="$(cat)"; else l="$(dd ibs=1 obs=4096 count=${l#fenestra-} 2>/dev/null)"; fi',
  'eval "$l"',
].join('; ');

/**
 * What the account's own shell reads: one line that bash, dash, busybox, zsh, fish and csh take alike. It waits for a line
 * with the length of a script and runs as much of what follows; the rest of the input is the script's. So no part of a
 * script stands in a process list. The script's first argument is who is connected to whom, which sudo would keep from it.
 */
const READER = `sh -c '${READER_SCRIPT}' fenestra "$SSH_CONNECTION"`;

/** The command line to begin with. */
export function readerLine(become: Become | undefined): string {
  if (become === undefined) return READER;
  if (become.method === 'doas') return `doas -n ${READER}`;
  return become.password === undefined
    ? `sudo -n ${READER}`
    : `sudo -S -p ${PASSWORD_MARK.replace('%', '%%')} ${READER}`;
}

/**
 * What goes to the reader's input: the script, after which its own input may follow. One that has none is read to its end,
 * and not byte by byte.
 */
export function scriptInput(script: string, hasInput: boolean): string {
  const whole = `export LC_ALL=C\numask 077\n${script}\n`;
  return `fenestra-${hasInput ? Buffer.byteLength(whole) : 'all'}\n${whole}`;
}

/**
 * Whether all these folders are ours or the superuser's, and nobody else can write to them: what lies in the store is
 * run because of its name there.
 */
export const OURS = `
ours() {
  ls -ldn "$@" 2>/dev/null | (
    while read -r mode links owner rest; do
      case $mode in d????-??-*) ;; *) exit 1 ;; esac
      [ "$owner" = 0 ] || [ "$owner" = "$(id -u)" ] || exit 1
    done
  )
}
`;

/** A word that a POSIX shell takes as it is. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
