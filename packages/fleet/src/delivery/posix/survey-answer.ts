import { AgentStatus, type FarEndFacts } from '@fenestra/contracts';
import { parseJson } from '@fenestra/kernel';
import { END_MARK, type StoreItem } from './survey-script.ts';

/** What the survey script found out. */
export interface SurveyAnswer {
  readonly facts: FarEndFacts;
  /** `Linux`, or what else it is. */
  readonly system: string;
  /** Where the machine sees us coming from; empty if it does not say. */
  readonly ownAddress: string;
  /** The folder that everything of ours is below. */
  readonly base: string;
  readonly tools: readonly string[];
  /** What is in the store, by name and size. */
  readonly store: readonly string[];
  /** Whether this run has left something there already. */
  readonly left: boolean;
}

/** Reads the answer; `undefined` if it is not whole. */
export function readSurveyAnswer(output: string): SurveyAnswer | undefined {
  const lines = output.split(/\r?\n/);
  if (!lines.includes(END_MARK)) return undefined;
  const answers = lines.flatMap((line) => {
    const [, key, value] = /^([a-z]+)=(.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
  const all = (wanted: string): readonly string[] =>
    answers.filter(({ key }) => key === wanted).map(({ value }) => value);
  const one = (wanted: string): string => all(wanted)[0] ?? '';
  return {
    facts: factsOf(one, all),
    system: one('system').split(' ')[0] ?? '',
    ownAddress: one('address'),
    base: one('base'),
    tools: all('tool'),
    store: all('have'),
    left: one('left') === 'yes',
  };
}

/** Whether the store has this. A file is only ever given its name there once its digest was right. */
export function isInStore({ store }: Pick<SurveyAnswer, 'store'>, { sha256, size, name }: StoreItem): boolean {
  return store.includes(`${size} ${sha256}/${name}`);
}

function factsOf(one: (key: string) => string, all: (key: string) => readonly string[]): FarEndFacts {
  const status = AgentStatus.safeParse(parseJson(one('status')));
  const free = one('free');
  const [, machine = ''] = one('system').split(' ');
  return {
    os: 'linux',
    arch: ARCHES[machine] ?? machine,
    // Told in whole seconds, of which half a one has gone by, on average.
    clock: Number(one('clock')) + 0.5,
    elevated: one('uid') === '0',
    ...(one('version') === '' ? {} : { version: one('version').trim() }),
    configured: one('configured') === 'yes',
    running: one('running') === 'yes',
    ...(status.success ? { status: status.data } : {}),
    servers: all('server').map((server) => server.replace(/^["']|["'].*$/g, '').trim()),
    ...(/^\d+$/.test(free) ? { freeBytes: Number(free) * 1024 } : {}),
  };
}

const ARCHES: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' };
