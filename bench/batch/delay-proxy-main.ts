import { connect, createServer, type Socket } from 'node:net';

/** `delay-proxy-main.ts MILLISECONDS PORT…`: for each port one that is so far away; prints the new ports. */
const [delayText, ...ports] = process.argv.slice(2);
const ONE_WAY_MS = Number(delayText) / 2;
/** More on the way than any window of SSH lets through; it only bounds the memory. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

const listening = await Promise.all(ports.map(Number).map(listenFor));
console.log(listening.join(' '));

async function listenFor(port: number): Promise<number> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
    carry(near, far);
    carry(far, near);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
}

/** What comes goes on after its time on the way, in the order in which it came, and all that is due in one call. */
function carry(from: Socket, to: Socket): void {
  const road: { readonly due: number; readonly arrive: () => void }[] = [];
  let waiting = 0;
  const send = (arrive: () => void): void => {
    road.push({ due: performance.now() + ONE_WAY_MS, arrive });
    if (road.length === 1) setTimeout(arriveAll, ONE_WAY_MS);
  };
  const arriveAll = (): void => {
    // A timer may be early by up to a millisecond, and counts from when the loop began to turn.
    const now = performance.now();
    to.cork();
    while (road[0] !== undefined && road[0].due <= now) road.shift()?.arrive();
    to.uncork();
    if (road[0] !== undefined) setTimeout(arriveAll, Math.max(1, Math.ceil(road[0].due - now)));
  };
  from.on('data', (piece) => {
    const size = piece.length;
    waiting += size;
    if (waiting > MOST_WAITING_BYTES) from.pause();
    send(() => {
      to.write(piece, () => {
        waiting -= size;
        release(piece);
        if (waiting <= MOST_WAITING_BYTES) from.resume();
      });
    });
  });
  from.once('end', () => send(() => to.end()));
  for (const event of ['error', 'close']) from.on(event, () => send(() => to.destroySoon()));
}

/** At once, for collecting it would cost more processor time than passing it on. */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
