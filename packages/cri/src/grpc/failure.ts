/** What a gRPC server can answer instead of a message, as far as we distinguish the cases. */
export const GRPC_STATUS = {
  OK: 0,
  UNKNOWN: 2,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
} as const;

/** A gRPC server refused a call, and why. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether the server answered with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof GrpcFailure && error.status === status;
}

/** The connection ended before the server had answered. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Something listens at the endpoint, but it is not a gRPC server. */
export class NotGrpc extends Error {
  override readonly name = 'NotGrpc';
}
