import type { ServerResponse } from 'node:http';

const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** A watch's way to its client. What the client does not take yet waits here, up to a limit; beyond it the watch is ended. */
export interface WatchStream {
  /** Live events. */
  send(line: Buffer): void;
  /** The state at the start, which may be larger than the limit: it is read at the client's own pace. */
  sendInitial(lines: readonly Buffer[]): void;
  /** Ends the stream once what waits has gone out. */
  end(): void;
}

/** A stream on an answer whose head has not been sent yet. `cutOff` is called when the client is too slow. */
export function watchStream(
  response: ServerResponse,
  cutOff: () => void,
  maxWaiting: number = MAX_WAITING_BYTES,
): WatchStream {
  const queue = lineQueue(response);
  let allowance = maxWaiting;
  let ended = false;
  const pump = () => {
    queue.drain();
    if (queue.size() > 0) return;
    allowance = maxWaiting;
    if (ended) response.end();
  };
  response.on('drain', pump);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  return {
    send(line) {
      if (ended || response.destroyed) return;
      queue.push(line);
      pump();
      if (queue.size() <= allowance) return;
      ended = true;
      response.destroy();
      cutOff();
    },
    sendInitial(lines) {
      for (const line of lines) queue.push(line);
      allowance = maxWaiting + queue.size();
      pump();
    },
    end() {
      ended = true;
      pump();
    },
  };
}

/** Lines that the client has not taken yet. They are shared with other watches, so that waiting costs little. */
function lineQueue(response: ServerResponse) {
  let waiting: Buffer[] = [];
  let size = 0;
  return {
    size: () => size,
    push(line: Buffer) {
      waiting.push(line);
      size += line.length;
    },
    /** Hands over as much as the client takes now. */
    drain() {
      let sent = 0;
      response.cork();
      for (const line of waiting) {
        if (response.writableNeedDrain) break;
        response.write(line);
        size -= line.length;
        sent += 1;
      }
      response.uncork();
      waiting = sent === waiting.length ? [] : waiting.slice(sent);
    },
  };
}
