import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { fileError } from '@fenestra/kernel';

/** Names a PEM file with CAs to trust besides those of Node.js. The executable ignores `NODE_EXTRA_CA_CERTS`. */
const CA_FILE_VARIABLE = 'KEADM_CA_FILE';

/** The CAs that downloads trust, as an option for TLS. */
export function trustedCas(variables: NodeJS.ProcessEnv): { readonly ca?: string[] } {
  const file = variables[CA_FILE_VARIABLE] ?? '';
  return file === '' ? {} : { ca: [...rootCertificates, readPem(file)] };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw fileError(cause, `read "${file}", which ${CA_FILE_VARIABLE} names`);
  }
}
