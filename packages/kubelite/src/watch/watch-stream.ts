import type { ServerResponse } from 'node:http';
import { pacedWriter } from '../rest/paced-writer.ts';

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
  const writer = pacedWriter(response, () => void (allowance = maxWaiting));
  let allowance = maxWaiting;
  let ended = false;
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  return {
    send(line) {
      if (ended || response.destroyed) return;
      writer.push(line);
      if (writer.waiting() <= allowance) return;
      ended = true;
      response.destroy();
      cutOff();
    },
    sendInitial(lines) {
      allowance = maxWaiting + lines.reduce((sum, line) => sum + line.length, writer.waiting());
      for (const line of lines) writer.push(line);
    },
    end() {
      ended = true;
      writer.end();
    },
  };
}
