import type { NodeSession } from '@fenestra/lifecycle';
import type { KeadmEnvironment } from '../platform.ts';
import { progressPrinter } from '../cli/progress.ts';

/** Makes ready to change the node: the rights are checked before anything is touched. */
export async function openSession(
  environment: KeadmEnvironment,
  root: string | undefined,
  action: string,
): Promise<NodeSession> {
  const { host, layout, files, access, services } = await environment.loadPlatform(root);
  if (root === undefined) await host.requireElevation(`keadm ${action}`);
  const print = progressPrinter(environment.terminal);
  return {
    host,
    layout,
    ports: { files, access, services },
    programVersion: environment.version,
    now: environment.now,
    onEvent(event) {
      print(event);
      environment.onEvent(event);
    },
  };
}
