import { join } from 'node:path';
import { unpackedPackage } from '../beds/unpacked-package.ts';

/** The path of Debian's own kubectl. It is unpacked beside this machine's, which may have another one already. */
export async function debianKubectl(signal: AbortSignal): Promise<string> {
  return join(await unpackedPackage('kubernetes-client', 'debian-kubectl', signal), 'usr', 'bin', 'kubectl');
}
