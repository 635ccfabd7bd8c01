import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More requests than any client sends before it reads an answer. */
const MAX_REQUESTS = 1000;

/**
 * Handles one request of a connection at a time, as servers in Go do. When answers to later requests wait, Node pauses
 * the parser of the connection, and over TLS takes the rest of a request for a parse error and resets the connection.
 */
export function requestsInTurn(handle: (request: IncomingMessage, response: ServerResponse) => void): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push(() => handle(request, response));
    response.once('close', () => {
      queue.shift();
      if (!socket.destroyed) queue[0]?.();
    });
    if (queue.length > MAX_REQUESTS) socket.destroy();
    else if (queue.length === 1) queue[0]?.();
  };
}
