import { join } from 'node:path';
import { mustRun } from '../beds/command.ts';
import { unpackedPackage } from '../beds/unpacked-package.ts';

/**
 * A FIDO device in software, by which OpenSSH tests itself: ssh talks to it as it does to a real one, and it confirms at
 * once what a person would have to touch.
 */
export async function softwareFido(signal: AbortSignal): Promise<string> {
  const folder = await unpackedPackage('openssh-tests', 'openssh-tests', signal);
  return join(folder, 'usr/lib/openssh/regress/misc/sk-dummy/sk-dummy.so');
}

/** Makes a key that is of use only together with the device. */
export async function makeFidoKey(device: string, path: string, signal: AbortSignal): Promise<void> {
  await mustRun(['ssh-keygen', '-q', '-t', 'ed25519-sk', '-w', device, '-N', '', '-f', path], {}, signal);
}
