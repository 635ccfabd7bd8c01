import { readFile } from 'node:fs/promises';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { fromPem, pemCertificates, type CertificateAndKey } from './key-pair.ts';

/** Where an operator may have put a certificate and its key (PEM). */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Reads both files; undefined unless both are there: an agent on the same machine keeps the CA's certificate, without
 * its key, in the very place upstream's defaults name.
 */
export async function readCertificateFiles(files: CertificateFiles): Promise<CertificateAndKey | undefined> {
  const [certificate, key] = await Promise.all([readPem(files.certificate), readPem(files.key)]);
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: certificate.bytes, key: key.bytes, chain: pemCertificates(certificate.text) };
}

async function readPem(path: string): Promise<{ readonly text: string; readonly bytes: Buffer } | undefined> {
  if (path === '') return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
  if (text === undefined) return undefined;
  const bytes = fromPem(text);
  if (bytes !== undefined) return { text, bytes };
  throw new OperatorError('CERTIFICATE_INVALID', `Cannot read "${path}": there is no PEM block in it`, {
    hint: 'Replace the file with one in PEM form, or remove it.',
  });
}
