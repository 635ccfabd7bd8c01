import { join } from 'node:path';
import { requireMarks, shortCommand, type Delivery, type Taken } from '../methods.ts';
import { runMain } from '../run-controller.ts';

/** The system's ssh, one connection a target: the archive is piped to tar, then the command runs. */
export async function opensshTar(delivery: Delivery): Promise<Taken> {
  const { site, targets, width } = delivery;
  const { output, ...taken } = await runMain(join(import.meta.dirname, 'openssh-tar-main.ts'), {
    targets,
    width,
    ssh: ['ssh', '-c', 'aes128-gcm@openssh.com', ...sshOptions(delivery)],
    archive: site.payload.archive,
    command: `tar -xf - && ${shortCommand(delivery)}`,
  });
  requireMarks('OpenSSH', output, delivery);
  return taken;
}

/** A login as our program does it: one key, and host keys that are known. */
export function sshOptions({ site: { login } }: Delivery): readonly string[] {
  const settings = [
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    'BatchMode=yes',
  ];
  return ['-F', 'none', '-l', login.user, '-i', login.keyFile, ...settings.flatMap((setting) => ['-o', setting])];
}
