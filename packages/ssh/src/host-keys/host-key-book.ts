import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import { type ExpectedHost, hostKeyError, judgeHostKey } from './judge-host-key.ts';
import {
  fingerprint,
  hostName,
  keyType,
  type KnownHost,
  knownHostsLine,
  parseKnownHosts,
  type PublicKey,
} from './known-hosts.ts';
import { addToKnownHosts } from './record-host-key.ts';

/** A host key that was not known before and has been recorded. */
export interface NewHostKey {
  readonly target: RemoteTarget;
  readonly type: string;
  readonly fingerprint: string;
  readonly file: string;
}

/** Where host keys are known from. */
export interface HostKeySources {
  /** known_hosts files; one that is not there is empty. */
  readonly knownHosts: readonly string[];
  /** Takes the key of a machine that nothing is known about for its own, records it here, and reports it. */
  readonly acceptNew?: { readonly file: string; recorded(key: NewHostKey): void } | undefined;
}

/** What is known about host keys. */
export interface HostKeyBook {
  expected(target: RemoteTarget): Promise<ExpectedHost>;
  /** Rejects with HOST_KEY_UNKNOWN or HOST_KEY_CHANGED unless the key is the machine's. */
  check(target: RemoteTarget, key: PublicKey, signal: AbortSignal): Promise<void>;
}

/** Reads the files when they are needed first, and again when they have changed. */
export function hostKeyBook({ knownHosts, acceptNew }: HostKeySources): HostKeyBook {
  const files = new Set(acceptNew === undefined ? knownHosts : [...knownHosts, acceptNew.file]);
  const read = [...files].map((file) => rereadWhenChanged(file));

  async function expected({ host, port, hostKeys }: RemoteTarget): Promise<ExpectedHost> {
    const lines = (await Promise.all(read.map(async (linesNow) => linesNow()))).flat();
    return { host, port, pins: hostKeys, lines };
  }

  async function check(target: RemoteTarget, key: PublicKey, signal: AbortSignal): Promise<void> {
    const verdict = judgeHostKey(key, await expected(target));
    if (verdict.kind === 'unknown' && acceptNew !== undefined) return record(target, key, signal);
    const error = hostKeyError(target, key, verdict);
    if (error !== undefined) throw error;
  }

  /** Judges again under the file's lock: another connection may have met the same machine. */
  async function record(target: RemoteTarget, key: PublicKey, signal: AbortSignal): Promise<void> {
    if (acceptNew === undefined) return;
    const { file } = acceptNew;
    let added = false;
    await addToKnownHosts(
      file,
      (text) => {
        const judged = judgeHostKey(key, { ...target, pins: [], lines: parseKnownHosts(file, text) });
        if (judged.kind === 'known') return '';
        const error = judged.kind === 'unknown' ? undefined : hostKeyError(target, key, judged);
        if (error !== undefined) throw error;
        added = true;
        return knownHostsLine(hostName(target.host, target.port), keyType(key), key);
      },
      signal,
    );
    if (added) acceptNew.recorded({ target, type: keyType(key), fingerprint: fingerprint(key), file });
  }

  return { expected, check };
}

function rereadWhenChanged(file: string): () => Promise<readonly KnownHost[]> {
  let stamp = '';
  let lines: Promise<readonly KnownHost[]> = Promise.resolve([]);
  return async () => {
    const now = stampOf(file);
    if (now !== stamp) {
      stamp = now;
      lines = now === '' ? Promise.resolve([]) : readLines(file);
    }
    return lines;
  };
}

/** At once, for it is asked twice at every login, and another thread would take longer to be asked. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw fileError(error, `read "${file}"`);
  }
}

async function readLines(file: string): Promise<readonly KnownHost[]> {
  try {
    return parseKnownHosts(file, await readFile(file, 'utf8'));
  } catch (error) {
    throw fileError(error, `read "${file}"`);
  }
}
