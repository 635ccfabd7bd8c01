import { redact, secretsOf, type BatchNode, type NodeWorker, type WorkContext } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';

/** Whatever is shorter cannot be hidden without hiding half of every line. */
const SHORTEST = 4;

/** Nodes whose secrets are learned as they are asked for, and what hides them. */
export interface SecretGuard {
  readonly nodes: readonly BatchNode[];
  readonly hide: (text: string) => string;
}

/** Learns every secret of these nodes when it is resolved, so that it can be hidden in all that is said from then on. */
export function guardSecrets(nodes: readonly BatchNode[]): SecretGuard {
  let known: readonly string[] = [];
  const learn = (secrets: readonly string[]): void => {
    const fresh = secrets.flatMap(formsOf).filter((secret) => secret.length >= SHORTEST && !known.includes(secret));
    // A secret may be the beginning of another one.
    if (fresh.length > 0) known = [...known, ...fresh].toSorted((one, other) => other.length - one.length);
  };
  return { nodes: nodes.map((node) => learning(node, learn)), hide: (text) => redact(text, known) };
}

/** A worker that says nothing secret, neither while it works nor in why it failed, and reports its progress calmly. */
export function discreetWorker(worker: NodeWorker, hide: (text: string) => string): NodeWorker {
  const quiet = (context: WorkContext): WorkContext => ({
    ...context,
    log: (line) => context.log(hide(line)),
    say: (text) => context.say(hide(text)),
    progress: calmProgress(context.progress),
  });
  const guarded = async <Result>(work: Promise<Result>): Promise<Result> => work.catch((error) => reject(error, hide));
  return {
    survey: async (node, context) => guarded(worker.survey(node, quiet(context))),
    deliver: async (node, survey, context) => guarded(worker.deliver(node, survey, quiet(context))),
    preview: async (node, survey, context) => guarded(worker.preview(node, survey, quiet(context))),
    execute: async (node, survey, context) => guarded(worker.execute(node, survey, quiet(context))),
    prove: async (node, survey, context) => guarded(worker.prove(node, survey, quiet(context))),
    rollBack: async (node, survey, context) => guarded(worker.rollBack(node, survey, quiet(context))),
    tidy: async (node, survey, context) => guarded(worker.tidy(node, survey, quiet(context))),
  };
}

function learning(node: BatchNode, learn: (secrets: readonly string[]) => void): BatchNode {
  const password = node.become?.password;
  return {
    ...node,
    async command(signal) {
      const words = await node.command(signal);
      learn(secretsOf(words, node.shownCommand));
      return words;
    },
    async target(signal) {
      const target = await node.target(signal);
      learn(targetSecrets(target));
      return target;
    },
    become: node.become && {
      ...node.become,
      password:
        password &&
        (async (signal) => {
          const secret = await password(signal);
          learn([secret]);
          return secret;
        }),
    },
  };
}

/** A secret as it is, and as it may come back: in JSON, in an address, and in a header. */
function formsOf(secret: string): readonly string[] {
  const encoded = Buffer.from(secret).toString('base64');
  return [
    ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), encoded.replace(/=+$/, '')]),
  ];
}

function targetSecrets({ auth, jumps }: RemoteTarget): readonly string[] {
  return [...auth.flatMap(authSecrets), ...jumps.flatMap(targetSecrets)];
}

function authSecrets(auth: RemoteAuth): readonly string[] {
  switch (auth.kind) {
    case 'agent':
      return [];
    case 'key':
      return auth.passphrase === undefined ? [] : [auth.passphrase];
    case 'password':
      return [auth.password];
    case 'keyboard-interactive':
      return [auth.answer];
  }
}

function reject(error: unknown, hide: (text: string) => string): never {
  if (!(error instanceof OperatorError)) throw error instanceof Error ? new Error(hide(error.message)) : error;
  const { code, message, hint, details, cause } = error;
  const shown = Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? hide(value) : value]);
  throw new OperatorError(code, hide(message), { hint: hide(hint), details: Object.fromEntries(shown), cause });
}

/** More often no one can read it, and a thousand nodes would say it a hundred thousand times. */
const SHORTEST_MS = 250;

/** Reports progress four times a second at most, but always of the end; where there is nothing to send, of nothing. */
export function calmProgress(tell: (done: number, total: number) => void): (done: number, total: number) => void {
  let [toldAt, toldDone] = [-Infinity, -1];
  return (done, total) => {
    const now = performance.now();
    const isDue = done === total ? done !== toldDone : now - toldAt >= SHORTEST_MS;
    if (total === 0 || !isDue) return;
    [toldAt, toldDone] = [now, done];
    tell(done, total);
  };
}
