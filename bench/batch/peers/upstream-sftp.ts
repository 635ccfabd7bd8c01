import { join } from 'node:path';
import { requireMarks, shortCommand, type Delivery, type Taken } from '../methods.ts';
import { runMain } from '../run-controller.ts';

/**
 * As KubeEdge's `keadm batch` sends files: an SFTP session for each, blocks of 32 KiB, and the next one only after the
 * answer to the last. With `bytes`, only so much of the executable is sent, and its end is not there.
 */
export async function upstreamSftp(delivery: Delivery, bytes?: number): Promise<Taken> {
  const { site, targets, width } = delivery;
  const { output, ...taken } = await runMain(join(import.meta.dirname, 'upstream-sftp-main.ts'), {
    targets,
    width,
    login: site.login,
    program: site.payload.program,
    bytes: bytes ?? site.payload.bytes,
    files: site.payload.files,
    command: shortCommand(delivery),
  });
  if (bytes === undefined) requireMarks("upstream's way", output, delivery);
  return taken;
}
