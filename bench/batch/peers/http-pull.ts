import { join } from 'node:path';
import { requireMarks, shortCommand, type Delivery, type Taken } from '../methods.ts';
import { runMain } from '../run-controller.ts';

/** Every target fetches the archive by plain HTTP, as a command over SSH tells it, and runs another one. */
export async function httpPull(delivery: Delivery): Promise<Taken> {
  const { site, targets, width } = delivery;
  const { output, ...taken } = await runMain(join(import.meta.dirname, 'http-pull-main.ts'), {
    targets,
    width,
    login: site.login,
    archive: site.payload.archive,
    command: `tar -xf - && ${shortCommand(delivery)}`,
  });
  requireMarks('plain HTTP', output, delivery);
  return taken;
}
