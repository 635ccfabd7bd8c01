import type { OperatorError } from '@fenestra/kernel';
import type { RemoteHost } from '@fenestra/platform';
import type { BatchNode, Become } from '../../inventory/batch.ts';
import { becomeRefused, unsupported } from '../failures.ts';
import { type CommandEnd, type RemoteCommand, runRemote } from '../remote-command.ts';
import { BEGIN_MARK, bootstrap, PASSWORD_MARK, READY_MARK } from './bootstrap.ts';

/** The account that needs no one else's rights, and on some machines finds no sudo. */
const SUPERUSER = 'root';

/** Runs a script with the rights that the node's file asks for; what was printed before it began is left out. */
export async function runScript(
  host: RemoteHost,
  node: BatchNode,
  order: PosixScript,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const become = host.target.user === SUPERUSER ? undefined : node.become;
  const received = listen(order.onLine);
  const whole = { ...order, script: `export LC_ALL=C\numask 077\n${order.script}`, onLine: received.hear };
  const end = await runBy(host, become, whole, signal);
  if (!received.hasBegun()) throw notBegun(node.name, become, end);
  return { ...end, output: received.lines.join('\n') };
}

async function runBy(
  host: RemoteHost,
  become: Become | undefined,
  { script, activity, input, onLine }: PosixScript & { readonly onLine: (line: string) => void },
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { line, input: first } = bootstrap(script, become, input !== undefined);
  const order = { line, activity, input: inputOf(first, input), onLine };
  const password = await become?.password?.(signal);
  return password === undefined ? runRemote(host, order, signal) : runAsked(host, order, password, signal);
}

async function runAsked(
  host: RemoteHost,
  order: Required<Omit<RemoteCommand, 'onErrors'>>,
  password: string,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const dialogue = openDialogue();
  const hearBoth = (line: string): void => {
    dialogue.hearLine(line);
    order.onLine(line);
  };
  const input = dialogue.input(password, order.input);
  const asked = { ...order, input, onLine: hearBoth, onErrors: (piece: string) => dialogue.hearErrors(piece) };
  const end = await runRemote(host, asked, signal).finally(() => dialogue.end());
  return { ...end, errors: withoutQuestions(end.errors) };
}

/** Tells a script's own lines from those that came before; they are kept unless someone else takes them. */
function listen(onLine: ((line: string) => void) | undefined) {
  const lines: string[] = [];
  let hasBegun = false;
  const take = onLine ?? ((line: string): void => void lines.push(line));
  return {
    lines,
    hasBegun: () => hasBegun,
    hear: (line: string): void => {
      if (hasBegun) return take(line);
      // What a profile has printed may lack the end of its line.
      hasBegun = line.endsWith(BEGIN_MARK);
    },
  };
}

async function* inputOf(
  first: string,
  input: AsyncIterable<Uint8Array | string> | undefined,
): AsyncGenerator<Uint8Array | string> {
  yield first;
  if (input !== undefined) yield* input;
}

function notBegun(node: string, become: Become | undefined, { exitCode, errors }: CommandEnd): OperatorError {
  const said = errors === '' ? `it ended with ${exitCode} and said nothing` : saidLines(errors).slice(-3).join('; ');
  if (become === undefined) return unsupported(node, `its shell cannot run a command: ${said}`);
  return becomeRefused(node, become.method, said);
}

function saidLines(errors: string): readonly string[] {
  return errors.split('\n').filter((line) => line.trim() !== '');
}

/** So long sudo may take, over a directory service that is slow, to ask or to let in. */
const PATIENCE_MS = 60_000;

/** What sudo says, and what it gets: the password once, when it asks, and nothing else until it has let in. */
interface BecomeDialogue {
  /** Hears a line of output. */
  hearLine(line: string): void;
  /** Hears a piece of what is said to people. */
  hearErrors(piece: string): void;
  /** There is no one to talk to any more. */
  end(): void;
  /** The password if sudo asks, then the rest. Ends if sudo asks again: repeated attempts lock an account. */
  input(password: string, after: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array | string>;
}

/** A dialogue that begins with sudo. */
export function openDialogue(patienceMs = PATIENCE_MS): BecomeDialogue {
  const asked = Promise.withResolvers<boolean>();
  const letIn = Promise.withResolvers<boolean>();
  let said = '';
  let settled = false;
  const settle = (isIn: boolean): void => {
    settled = true;
    clearTimeout(timer);
    asked.resolve(false);
    letIn.resolve(isIn);
  };
  const timer = setTimeout(() => settle(false), patienceMs);
  return {
    hearLine(line) {
      // What a profile has printed may lack the end of its line.
      if (line.endsWith(READY_MARK)) settle(true);
    },
    hearErrors(piece) {
      if (settled) return;
      said += piece;
      const questions = said.split(PASSWORD_MARK).length - 1;
      if (questions > 0) asked.resolve(true);
      if (questions > 1) settle(false);
    },
    end: () => settle(false),
    async *input(password, after) {
      if (await asked.promise) yield `${password}\n`;
      if (await letIn.promise) yield* after;
    },
  };
}

function withoutQuestions(errors: string): string {
  return errors.replaceAll(PASSWORD_MARK, '').trim();
}

/** A script for a machine with a POSIX shell. It says `BEGIN_MARK` first. */
interface PosixScript {
  readonly script: string;
  readonly activity: string;
  /** The script's own input. */
  readonly input?: AsyncIterable<Uint8Array | string>;
  readonly onLine?: (line: string) => void;
}
