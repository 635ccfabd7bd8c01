import { join } from 'node:path';
import type { CodeSigner } from '../../../build/packaging/authenticode.ts';
import { mustRun, runCommand } from '../../support/beds/command.ts';
import { unlimited } from '../../support/cloud/patience.ts';

/** Makes a certificate in this folder that no one trusts but the tests. */
export async function makeTestSigner(folder: string): Promise<CodeSigner> {
  const [certificate, key] = [join(folder, 'code.pem'), join(folder, 'code.key')];
  const subject = ['-subj', '/CN=Fenestra test', '-addext', 'extendedKeyUsage=codeSigning'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-noenc', '-days', '2'];
  await mustRun(['openssl', 'req', ...kind, ...subject, '-keyout', key, '-out', certificate], {}, unlimited());
  return { certificate, key, timestampUrl: undefined };
}

/** Whether a file is as this signer has signed it. */
export async function isSignedBy(file: string, { certificate }: CodeSigner): Promise<boolean> {
  const argv = ['osslsigncode', 'verify', '-CAfile', certificate, '-in', file];
  const { exitCode, stdout } = await runCommand(argv, {}, unlimited());
  return exitCode === 0 && stdout.includes('Signature verification: ok');
}
