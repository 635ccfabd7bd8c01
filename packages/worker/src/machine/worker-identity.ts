import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readClusterEntry } from '../discovery/kubeconfig.ts';
import { systemCodeOf } from '@fenestra/kernel';
import type { WorkerLayout } from '@fenestra/platform';
import { currentPair } from '@fenestra/steps';

const NODE_PREFIX = 'system:node:';

/** Who a machine is in its cluster, as far as its files say, whatever made it a worker. */
export interface WorkerIdentity {
  /** `https://host:port`. */
  readonly server: string | undefined;
  readonly nodeName: string | undefined;
  readonly expires: Date | undefined;
}

/** Reads what the machine knows of itself. What is missing or cannot be understood is left out. */
export async function readIdentity(layout: WorkerLayout): Promise<WorkerIdentity> {
  const kubeconfig = await textIfAny(layout.kubeconfig);
  const certificate = certificateIn(await textIfAny(currentPair(layout.certificatesFolder)));
  return {
    server: kubeconfig === undefined ? undefined : serverIn(kubeconfig),
    nodeName: certificate === undefined ? undefined : nodeNameIn(certificate.subject),
    expires: certificate?.validToDate,
  };
}

/** The node's name in the subject of a kubelet's certificate. */
export function nodeNameIn(subject: string): string | undefined {
  const name = /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
  return name.startsWith(NODE_PREFIX) ? name.slice(NODE_PREFIX.length) : undefined;
}

async function textIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCodeOf(cause))) return undefined;
    throw cause;
  });
}

function serverIn(kubeconfig: string): string | undefined {
  try {
    return readClusterEntry(kubeconfig).server;
  } catch {
    return undefined;
  }
}

function certificateIn(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
