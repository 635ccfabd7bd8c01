import type { OperatorError } from '@fenestra/kernel';
import type { RemoteHost } from '@fenestra/platform';
import type { BatchNode, Become } from '../../inventory/batch-node.ts';
import { becomeRefused, unsupported } from '../failures.ts';
import { runRemote, type CommandEnd } from '../remote-command.ts';
import { BEGIN_MARK, readerLine, scriptInput } from './bootstrap.ts';

/** The account that needs nobody else's rights, and on some machines finds no sudo. */
const SUPERUSER = 'root';

/** A script for a machine with a POSIX shell. It says `BEGIN_MARK` first. */
export interface PosixScript {
  readonly script: string;
  readonly activity: string;
  /** The script's own input. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  readonly onLine?: (line: string) => void;
}

/** Runs a script with the rights that the node's file asks for; what was printed before it began is left out. */
export async function runScript(
  host: RemoteHost,
  node: BatchNode,
  { script, activity, input, onLine }: PosixScript,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const become = host.target.user === SUPERUSER ? undefined : node.become;
  const password = await become?.password?.(signal);
  const heard = listen(onLine);
  // Only once sudo has let us in: it would take what comes for another try at the password.
  const mayGoOn = password === undefined ? undefined : heard.begun;
  const command = { line: readerLine(become), activity, input: inputOf(password, script, input, mayGoOn) };
  const end = await runRemote(host, { ...command, onLine: heard.hear }, signal).finally(heard.end);
  if (!heard.hasBegun()) throw notBegun(node.name, become, end);
  return { ...end, output: heard.lines.join('\n') };
}

/** Tells a script's own lines from those that came before; they are kept unless somebody else takes them. */
function listen(onLine: ((line: string) => void) | undefined) {
  const begun = Promise.withResolvers<void>();
  const lines: string[] = [];
  let hasBegun = false;
  const take = onLine ?? ((line: string): void => void lines.push(line));
  return {
    lines,
    begun: begun.promise,
    hasBegun: () => hasBegun,
    hear: (line: string): void => {
      if (hasBegun) return take(line);
      // What a profile has printed may lack the end of its line.
      hasBegun = line.endsWith(BEGIN_MARK);
      if (hasBegun) begun.resolve();
    },
    end: () => begun.resolve(),
  };
}

async function* inputOf(
  password: string | undefined,
  script: string,
  input: AsyncIterable<Uint8Array | string> | undefined,
  mayGoOn: Promise<void> | undefined,
): AsyncGenerator<Uint8Array | string> {
  if (password !== undefined) yield `${password}\n`;
  yield scriptInput(script, input !== undefined);
  if (input === undefined) return;
  await mayGoOn;
  yield* input;
}

function notBegun(node: string, become: Become | undefined, { exitCode, errors }: CommandEnd): OperatorError {
  const said = errors === '' ? `it ended with ${exitCode} and said nothing` : errors.split('\n').slice(-3).join('; ');
  if (become === undefined) return unsupported(node, `its shell does not run a command: ${said}`);
  return becomeRefused(node, become.method, said);
}
