import { type Message, newMessage } from '@fenestra/contracts';

/** One thing that happens to one of a few objects. */
export interface HistoryStep {
  readonly name: string;
  readonly action: 'write' | 'delete';
  /** Seconds that pass before it. */
  readonly seconds: number;
}

/** What a cluster sent to the node, and what is there in the end: `name=resourceVersion`. */
export interface ClusterHistory {
  readonly messages: readonly Message[];
  readonly final: readonly string[];
}

interface Live {
  readonly uid: string;
  readonly creationTimestamp: string;
  readonly version: number;
}

/** Plays the steps as an API server would: one count of versions for all, a new uid for every new object. */
export function playHistory(steps: readonly HistoryStep[], firstVersion = 1): ClusterHistory {
  const live = new Map<string, Live>();
  const messages: Message[] = [];
  let version = firstVersion - 1;
  let time = Date.UTC(2026, 0, 1) + firstVersion * 1_000;
  for (const { name, action, seconds } of steps) {
    version += 1;
    time += seconds * 1_000;
    const before = live.get(name);
    if (action === 'delete' && before === undefined) continue;
    const born = { uid: `uid-${firstVersion}-${version}`, creationTimestamp: new Date(time).toISOString() };
    const now = { ...(before ?? born), version };
    if (action === 'delete') live.delete(name);
    else live.set(name, now);
    messages.push(messageAbout(name, now, action === 'delete' ? 'delete' : before === undefined ? 'insert' : 'update'));
  }
  return { messages, final: [...live].map(([name, object]) => `${name}=${object.version}`).toSorted() };
}

function messageAbout(name: string, { uid, creationTimestamp, version }: Live, operation: string): Message {
  const resourceVersion = String(version);
  const metadata = { name, namespace: 'default', uid, creationTimestamp, resourceVersion };
  return newMessage({
    source: 'edgecontroller',
    group: 'resource',
    operation,
    resource: `default/configmap/${name}`,
    resourceVersion,
    content: { metadata, data: { version: resourceVersion } },
  });
}
