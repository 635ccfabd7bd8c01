import { runKeadm } from '../cli/run-keadm.ts';
import type { KeadmEnvironment } from '../platform.ts';

/** What became of a command. */
export interface KeadmAnswer {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** An environment without a platform and without a cloud. */
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
    signal: new AbortController().signal,
    secondInterruption: () => new AbortController().signal,
    terminal,
    loadCloud: async () => Promise.reject(new Error('this command needs no cloud')),
    loadPlatform: async () => Promise.reject(new Error('this command needs no platform')),
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
