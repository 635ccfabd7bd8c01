import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemCodeOf } from '@fenestra/kernel';
import { type Check, fail, type Finding, pass, skip, warn } from '@fenestra/session';
import type { CertificatePaths } from '../node/node-files.ts';

/** The certificate of the node on this machine. */
export interface FoundCertificate {
  readonly file: string;
  /** `unreadable` without the rights to read it, or its key. */
  readonly content: FoundContent | 'absent' | 'unreadable' | 'damaged';
}

interface FoundContent {
  readonly from: Date;
  readonly until: Date;
  readonly signedByCa: boolean;
  readonly keyMatches: boolean;
}

/** The agent renews after 70 to 90 % of the validity. */
const RENEWED_AT = 0.95;
const JOIN_AGAIN = 'Run "keadm reset", then join with a new token; "keadm gettoken --node NAME" prints one.';

/** Whether the node can prove to its cloud who it is. */
export const certificate: Check<{
  readonly certificate: FoundCertificate | undefined;
  readonly host: { readonly clock: { readonly now: Date } };
}> = {
  name: 'certificate',
  about: 'the certificate of the node is valid, fits its key and its CA, and is renewed in time',
  judge({ certificate: found, host: { clock } }) {
    if (found === undefined) return pass('This machine has not joined a cloud yet');
    const { file, content } = found;
    if (content === 'unreadable')
      return skip('Only administrators can read it', 'Run "keadm doctor" as an administrator.');
    if (content === 'absent')
      return fail(
        `"${file}", its key or its CA is missing`,
        'Check "keadm logs" for the reason why the cloud did not issue one.',
      );
    if (content === 'damaged') return fail(`"${file}" or the files next to it are damaged`, JOIN_AGAIN);
    return judgeContent(content, clock.now);
  },
};

function judgeContent({ from, until, signedByCa, keyMatches }: FoundContent, now: Date): Finding {
  if (!keyMatches) return fail('The certificate does not match the private key beside it', JOIN_AGAIN);
  if (!signedByCa) return fail('The certificate is not signed by the CA beside it', JOIN_AGAIN);
  const expires = until.toISOString();
  if (now < from) return fail(`The certificate is not valid before ${from.toISOString()}`, 'Set the clock.');
  if (now > until) return fail(`The certificate expired at ${expires}`, JOIN_AGAIN);
  if (now.getTime() > from.getTime() + (until.getTime() - from.getTime()) * RENEWED_AT)
    return warn(`The certificate expires at ${expires} and has not been renewed`, 'See "keadm logs" for the reason.');
  return pass(`The certificate is valid until ${expires}`);
}

/** Reads the node's certificate, its key and the CA. */
export async function findCertificate(paths: CertificatePaths): Promise<FoundCertificate> {
  return { file: paths.certificateFile, content: await contentOf(paths) };
}

async function contentOf({ certificateFile, keyFile, caFile }: CertificatePaths): Promise<FoundCertificate['content']> {
  try {
    const own = new X509Certificate(await readFile(certificateFile));
    const key = createPrivateKey(await readFile(keyFile));
    const ca = new X509Certificate(await readFile(caFile));
    return {
      from: own.validFromDate,
      until: own.validToDate,
      keyMatches: own.checkPrivateKey(key),
      signedByCa: own.verify(ca.publicKey),
    };
  } catch (cause) {
    const code = systemCodeOf(cause);
    if (code === 'ENOENT') return 'absent';
    return ['EACCES', 'EPERM'].includes(code) ? 'unreadable' : 'damaged';
  }
}
