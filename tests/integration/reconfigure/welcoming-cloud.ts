import { decodeMessage, objectAnswer, replyTo, type Message } from '@fenestra/contracts';
import { startTestCloud, type NodeSession, type TestCloud } from '@fenestra/edgecore/testing/test-cloud';

const POLL_MS = 20;

/** A cloud on loopback that takes every node in and believes all it says. */
export async function startWelcomingCloud(): Promise<TestCloud> {
  const cloud = await startTestCloud();
  const welcomed = new Set<NodeSession>();
  const timer = setInterval(() => cloud.sessions.forEach((session) => welcome(session, welcomed)), POLL_MS);
  return {
    ...cloud,
    async stop() {
      clearInterval(timer);
      await cloud.stop();
    },
  };
}

function welcome(session: NodeSession, welcomed: Set<NodeSession>): void {
  if (welcomed.has(session)) return;
  welcomed.add(session);
  for (const message of session.messages) answer(session, message);
  session.socket.on('message', (data: Buffer) => answer(session, decodeMessage(data)));
}

function answer(session: NodeSession, message: Message): void {
  if (message.route.group !== 'meta') return;
  const name = message.route.resource.split('/').at(-1) ?? '';
  const object = { apiVersion: 'v1', metadata: { name, uid: name, resourceVersion: '1' } };
  session.send(replyTo(message, { source: 'edgecontroller', group: 'resource', content: objectAnswer(object) }));
}
