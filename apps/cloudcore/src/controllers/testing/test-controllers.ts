import type { Message } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { nodeCredentials, testAuthority, testHub, type TestAuthority } from '../../testing/test-cloud.ts';
import { connectNode, type TestNode } from '../../testing/test-node.ts';
import { startControllers, type Controllers, type ControllersOptions } from '../start-controllers.ts';
import type { RecordingApi } from './recording-api.ts';

/** One replica of the cloud: a hub and controllers, on a given API. */
export interface TestReplica {
  readonly controllers: Controllers;
  readonly connect: (node: string) => Promise<TestNode>;
  stop(): Promise<void>;
}

/** Starts a replica. Replicas that share nodes share the authority. */
export async function startReplica(
  { api }: Pick<RecordingApi, 'api'>,
  authority: TestAuthority,
  options: Pick<ControllersOptions, 'advertiseAddress'> = {},
): Promise<TestReplica> {
  const server = await testHub(authority);
  const { hub, port } = server;
  const life = new AbortController();
  const controllers = startControllers({ ...options, api, sessions: hub.sessions, log: silentLogger() }, life.signal);
  return {
    controllers,
    connect: async (node) => connectNode(port, await nodeCredentials(authority, node)),
    async stop() {
      life.abort();
      await server.close();
      await controllers.stopped;
    },
  };
}

/** A certificate authority for tests. */
export { testAuthority };

/** `operation resource` of all that a node was sent, without answers. */
export function sentTo(node: TestNode): string[] {
  return node.received.filter(({ header }) => header.parentId === undefined).map(lineOf);
}

/** The answer to a message, once it is there. */
export function answerTo(node: TestNode, { header }: Message): Message | undefined {
  return node.received.find((message) => message.header.parentId === header.id);
}

function lineOf({ route }: Message): string {
  return `${route.operation} ${route.resource}`;
}
