import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeNameOf, type EdgecoreConfig } from '@fenestra/contracts';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { NodeLayout } from '@fenestra/platform';

/** Where the node's certificate is; without a usable configuration, where a join puts it. */
export function certificateFileOf({ configFolder }: NodeLayout, config: EdgecoreConfig | undefined): string {
  return config?.modules.edgeHub.tlsCertFile ?? join(configFolder, 'certs', 'server.crt');
}

/**
 * The name that the cloud knows this machine by: the one in the node's certificate. `undefined` where there is none, or
 * one of upstream's old kind, which carries no name.
 */
export async function certifiedName(file: string): Promise<string | undefined> {
  const pem = await readFile(file).catch((cause: unknown) => {
    if (['EACCES', 'EPERM'].includes(systemCodeOf(cause))) throw fileError(cause, `read "${file}"`);
    return undefined;
  });
  return pem === undefined ? undefined : nameIn(pem);
}

function nameIn(pem: Buffer): string | undefined {
  try {
    const subject = new Map(new X509Certificate(pem).subject.split('\n').map(splitAttribute));
    return nodeNameOf({ organization: subject.get('O') ?? '', commonName: subject.get('CN') ?? '' });
  } catch {
    return undefined;
  }
}

function splitAttribute(line: string): readonly [string, string] {
  const equals = line.indexOf('=');
  return [line.slice(0, equals), line.slice(equals + 1)];
}
