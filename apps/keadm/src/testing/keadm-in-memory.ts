import type { CommandEffect } from '@fenestra/fleet/far-end';
import { commandEffect } from '../cli/command-effect.ts';
import { runKeadm } from '../cli/run-keadm.ts';
import type { KeadmEnvironment, KeadmPlatform } from '../platform.ts';

/** What became of a command. */
export interface KeadmAnswer {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** A platform on which no other account can change a file, and that has nothing else. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever else is asked of it throws
const PLATFORM = new Proxy({} as KeadmPlatform, {
  get(_platform, name) {
    if (name === 'access') return { exposures: async () => [] };
    // It is awaited, so it is asked whether it is a promise.
    if (name === 'then') return undefined;
    throw new Error('this command needs no platform');
  },
});

/** An environment without a cloud, and with nothing of a platform. */
export function environmentInMemory(terminal: KeadmEnvironment['terminal']): KeadmEnvironment {
  return {
    version: '1.2.3',
    commit: 'abc',
    commitTime: '2026-01-01T00:00:00Z',
    trustKeys: [],
    executable: '/keadm',
    ownCommand: [],
    now: () => new Date(0),
    onEvent: () => {},
    variables: {},
    readInput: async () => '',
    readInputBytes: async () => new Uint8Array(),
    streams: () => {
      throw new Error('this command needs no streams');
    },
    signal: new AbortController().signal,
    secondInterruption: () => new AbortController().signal,
    terminal,
    loadCloud: async () => Promise.reject(new Error('this command needs no cloud')),
    loadPlatform: async () => PLATFORM,
  };
}

/** Runs a command that needs neither a platform nor a cloud. */
export async function keadmInMemory(...args: readonly string[]): Promise<KeadmAnswer> {
  const written = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
  };
  return { exitCode: await runKeadm(args, environmentInMemory(terminal)), ...written };
}

/** What a command line does to a node, as its command declares it. */
export async function effectInMemory(words: readonly string[]): Promise<CommandEffect> {
  return commandEffect(words, environmentInMemory({ out: () => {}, err: () => {} }));
}
