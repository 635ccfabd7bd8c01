import { parseBatch, type BatchNode, type NodeWorker, type WorkContext } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { discreetWorker, guardSecrets, calmProgress } from './secret-guard.ts';

const FILE = `
keadm: { cmdTplArgs: { token: env:TOKEN } }
defaults:
  keadmCmd: join --token={{token}} --name={{nodeName}}
  become: { method: sudo, password: env:SUDO }
  ssh: { username: root, auth: { type: password, passwordAuth: { password: env:PW } } }
nodes:
  - { nodeName: a, ssh: { ip: 192.0.2.1 } }
`;
const SECRETS = { TOKEN: 'tok-12345', SUDO: 'sudo-pass', PW: 'tok-1' };
const signal = new AbortController().signal;

async function guarded(): Promise<{ readonly node: BatchNode; readonly hide: (text: string) => string }> {
  const source = { text: FILE, path: 'batch.yaml', readableByOthers: false };
  const { nodes, hide } = guardSecrets((await parseBatch(source, { variables: SECRETS })).nodes);
  const [node] = nodes;
  if (node === undefined) throw new Error('the file has a node');
  return { node, hide };
}

test('every secret that was asked for is hidden from then on, the longer one first', async () => {
  const { node, hide } = await guarded();
  await node.command(signal);
  await node.target(signal);
  await node.become?.password?.(signal);
  expect(hide('tok-12345 sudo-pass tok-1 a')).toBe('*** *** *** a');
});

test('a secret is hidden in the other forms that it may come back in', async () => {
  const { nodes, hide } = guardSecrets([
    { ...(await guarded()).node, command: async () => ['join', '--token=a"b/c d='] },
  ]);
  await nodes[0]?.command(signal);
  const forms = ['a\\"b/c d=', 'a%22b%2Fc%20d%3D', Buffer.from('a"b/c d=').toString('base64')];
  expect(hide(forms.join(' | '))).not.toMatch(/b.*c|YSJi/);
});

test('neither words nor reasons of the work hold a secret', async () => {
  const { node, hide } = await guarded();
  const fails = async (asked: BatchNode, context: WorkContext): Promise<never> => {
    const [, word = ''] = await asked.command(signal);
    context.log(`ran ${word}`);
    context.say(`runs ${word}`);
    throw new OperatorError('REMOTE_COMMAND_FAILED', `Cannot run ${word}`, { hint: word, details: { word } });
  };
  const withSurvey = async (asked: BatchNode, _: unknown, context: WorkContext): Promise<never> =>
    fails(asked, context);
  const worker: NodeWorker = {
    survey: fails,
    deliver: withSurvey,
    preview: withSurvey,
    execute: withSurvey,
    prove: withSurvey,
    rollBack: withSurvey,
    tidy: withSurvey,
  };
  const said: string[] = [];
  const context = { runId: 'r', commandTry: 1, signal, log: say, say, progress: () => {} };
  function say(text: string): void {
    said.push(text);
  }
  const error: unknown = await discreetWorker(worker, hide)
    .survey(node, context)
    .catch((cause: unknown) => cause);
  expect(said).toEqual(['ran --token=***', 'runs --token=***']);
  expect(error).toMatchObject({
    code: 'REMOTE_COMMAND_FAILED',
    message: 'Cannot run --token=***',
    hint: '--token=***',
    details: { word: '--token=***' },
  });
});

test('of a thousand steps within a moment the first and the last are reported, once', () => {
  const reported: number[] = [];
  const progress = calmProgress((done) => reported.push(done));
  for (let done = 0; done <= 1000; done += 1) progress(done, 1000);
  progress(1000, 1000);
  expect([reported[0], reported.at(-1)]).toEqual([0, 1000]);
  expect(reported.length).toBeLessThan(5);
});

test('where there is nothing to send, nothing is reported', () => {
  const reported: number[] = [];
  calmProgress((done) => reported.push(done))(0, 0);
  expect(reported).toEqual([]);
});
