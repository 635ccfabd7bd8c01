import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The options of a process of the benchmark, by name, with what it takes and gives. */
export interface Orders {
  /** Server: listens. */
  listen: { take: { mode: Mode; port: number; folder: string }; give: { port: number } };
  /** Server: what it costs so far. */
  figures: { take: null; give: Figures };
  /** Server: sends one object to every node; gives the milliseconds until each acknowledged, or nothing for a bare server. */
  broadcast: { take: { round: number; bytes: number }; give: { startedAt: number; latencies: number[] } };
  /** Server: an object that every node refuses is on its way, or no longer. */
  trouble: { take: { on: boolean }; give: null };
  /** Clients: connects, and stays connected. */
  connect: { take: { port: number; folder: string; from: number; to: number }; give: null };
  /** Clients: one never acknowledges, or does so again. */
  mute: { take: { on: boolean }; give: null };
  /** Clients: waits until so many messages were received; gives when the last one was. */
  received: { take: { messages: number }; give: { at: number } };
  /** Clients: how many are connected. */
  connected: { take: null; give: { connected: number } };
}

/** The hub, or the bare WebSocket server it is compared with. */
export type Mode = 'ours' | 'bare';

/** What a process has used. */
export interface Figures {
  readonly residentBytes: number;
  readonly cpuMs: number;
}

/** A process that takes orders. */
export interface Worker {
  order<Name extends keyof Orders>(name: Name, take: Orders[Name]['take']): Promise<Orders[Name]['give']>;
  /** Ends it without warning. */
  kill(): Promise<void>;
}

/** The orders one kind of process can carry out. */
export type Handlers<Name extends keyof Orders> = {
  [Key in Name]: (take: Orders[Key]['take']) => Promise<Orders[Key]['give']> | Orders[Key]['give'];
};

/** Starts a process from a file of this folder. */
export function startWorker(file: string): Worker {
  const child = fork(file, { execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'] });
  let last = 0;
  return {
    async order(name, take) {
      last += 1;
      const id = last;
      child.send({ id, name, take });
      return answerTo(child, id);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Carries out the orders of the parent process, one by one as they come. */
export function takeOrders(handlers: Readonly<Record<string, (take: never) => unknown>>): void {
  process.on('message', (order: { id: number; name: string; take: never }) => {
    const handler = handlers[order.name];
    if (handler === undefined) throw new Error(`There is no order "${order.name}"`);
    void Promise.resolve(handler(order.take)).then((give) => process.send?.({ id: order.id, give: give ?? null }));
  });
}

/** Milliseconds on a clock that all processes of this machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function answerTo<T>(child: ChildProcess, id: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('A process of the benchmark has ended'));
    const listener = (answer: { id: number; give: T }): void => {
      if (answer.id !== id) return;
      child.off('message', listener);
      child.off('exit', ended);
      resolve(answer.give);
    };
    child.on('message', listener);
    child.on('exit', ended);
  });
}
