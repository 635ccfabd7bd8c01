import type { NetConnectOpts } from 'node:net';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { openGrpcChannel } from './channel.ts';

const METHOD = 'grpc.health.v1.Health/Check';
const SERVICE_FIELD = 1;
const STATUS_FIELD = 1;
const SERVING = 1;

/** Asks a server for its health, and returns whether the service serves. Fails as a call over a channel does. */
export async function checkHealth(address: NetConnectOpts, service: string, signal: AbortSignal): Promise<boolean> {
  const channel = openGrpcChannel(address);
  try {
    const request = service === '' ? new Uint8Array() : requestFor(service);
    return statusIn(await channel.call(METHOD, request, signal)) === SERVING;
  } finally {
    channel.close();
  }
}

function requestFor(service: string): Uint8Array {
  return new BinaryWriter().tag(SERVICE_FIELD, WireType.LengthDelimited).string(service).finish();
}

function statusIn(answer: Uint8Array): number {
  const reader = new BinaryReader(answer);
  let status = 0;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === STATUS_FIELD && type === WireType.Varint) status = reader.int32();
    else reader.skip(type, field);
  }
  return status;
}
