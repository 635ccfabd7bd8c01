import { AgentStatus } from '@fenestra/contracts';
import { type FarEndFacts } from '../../far-end/messages/facts.ts';
import { parseJson } from '@fenestra/kernel';
import { readAnswers, type Answers } from './answers.ts';

/** What the survey script found out. */
export interface SurveyAnswer {
  readonly facts: FarEndFacts;
  /** `Linux`, or what else it is. */
  readonly system: string;
  /** Where the machine sees us coming from; empty if it does not say. */
  readonly ownAddress: string;
  /** The folder that everything of ours is below. */
  readonly base: string;
  /** Whether this run has left something there already. */
  readonly left: boolean;
  /** Programs there that help with a delivery. */
  readonly tools: readonly string[];
  /** What is in the store, by size and name. */
  readonly store: readonly string[];
}

/** Reads the answer; `undefined` if it is not whole. */
export function readSurveyAnswer(output: string): SurveyAnswer | undefined {
  const answers = readAnswers(output);
  if (answers === undefined) return undefined;
  const { one, all } = answers;
  return {
    facts: factsOf(answers),
    system: one('system').split(' ')[0] ?? '',
    ownAddress: one('address'),
    base: one('base'),
    left: one('left') === 'yes',
    tools: all('tool'),
    store: all('have'),
  };
}

function factsOf({ one, all }: Answers): FarEndFacts {
  const status = AgentStatus.safeParse(parseJson(one('status')));
  const [, machine = ''] = one('system').split(' ');
  return {
    os: 'linux',
    arch: ARCHES[machine] ?? machine,
    // Told in whole seconds, of which half a one has gone by, on average.
    clock: one('clock') === '' ? Number.NaN : Number(one('clock')) + 0.5,
    elevated: one('uid') === '0',
    ...(/^\d+$/.test(one('free')) ? { freeBytes: Number(one('free')) * 1024 } : {}),
    ...(one('version') === '' ? {} : { version: one('version').trim() }),
    configured: one('configured') === 'yes',
    running: one('running') === 'yes',
    ...(status.success ? { status: status.data } : {}),
    servers: all('server').map((server) => server.replace(/^["']|["'].*$/g, '').trim()),
  };
}

const ARCHES: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' };
