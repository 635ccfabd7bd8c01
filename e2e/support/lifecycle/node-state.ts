import { existsSync } from 'node:fs';
import { AGENT_SERVICE } from '@fenestra/lifecycle';
import type { EdgeNode } from '../cloud/edge-node.ts';
import { registrationOf } from '../machines/registration.ts';

/** What is left of a node on its machine: paths and services. Empty means that the machine is clean. */
export async function leftOf({ machine }: EdgeNode): Promise<readonly string[]> {
  const { configFolder, stateFolder, agent } = machine.paths;
  const paths = [configFolder, stateFolder, agent].filter((path) => existsSync(machine.node.hostPath(path)));
  const services = [AGENT_SERVICE, 'fenestra-guard'].map(async (name) =>
    (await registrationOf(machine, name)) === undefined ? [] : [`service ${name}`],
  );
  return [...paths, ...(await Promise.all(services)).flat()];
}

/** Where the node stands, as its agent says it. */
export async function standingOf(node: EdgeNode): Promise<{ version: string | undefined; connected: boolean }> {
  const status = await node.status();
  return { version: status?.version, connected: status?.connected === true };
}
