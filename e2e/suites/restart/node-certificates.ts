import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAuthority, openAuthority } from '../../../apps/cloudcore/src/certificates/authority.ts';
import { toPem } from '../../../apps/cloudcore/src/certificates/key-pair.ts';
import { clientCertificates, type ClientCertificate } from '../../../bench/hub/credentials.ts';

/** A CA in files, as an operator may give one to the cloud, and certificates of it for nodes. */
export interface NodeCertificates {
  readonly files: { readonly certificate: string; readonly key: string };
  readonly clients: readonly ClientCertificate[];
}

/** Makes a CA in a folder and a certificate for each of so many nodes. */
export async function makeNodeCertificates(folder: string, count: number): Promise<NodeCertificates> {
  const made = await newAuthority(new Date());
  const files = { certificate: join(folder, 'ca.crt'), key: join(folder, 'ca.key') };
  writeFileSync(files.certificate, toPem('CERTIFICATE', made.certificate));
  writeFileSync(files.key, toPem('EC PRIVATE KEY', made.key), { mode: 0o600 });
  return { files, clients: await clientCertificates(await openAuthority(made, 'the test'), count) };
}
