/**
 * How messages become bytes. It is loaded with the first call, since reading the description of all messages takes longer
 * than most commands' work.
 */
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { OperatorError } from '@fenestra/kernel';
import { ImageService, RuntimeService } from './generated/runtime_pb.js';

/** Every call there is, by its name. */
export const METHODS = { ...RuntimeService.method, ...ImageService.method };

/** The bytes of a request. */
export function encode<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Uint8Array {
  return toBinary(schema, create(schema, message));
}

/** The message in an answer; fields of newer runtimes are left out. Throws only `MESSAGE_INVALID`. */
export function decode<Desc extends DescMessage>(schema: Desc, bytes: Uint8Array): MessageShape<Desc> {
  try {
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (cause) {
    throw new OperatorError('MESSAGE_INVALID', 'Cannot read the answer of the container runtime: it is not protobuf', {
      hint: 'Check that the endpoint belongs to a container runtime, and update the runtime.',
      cause,
    });
  }
}
