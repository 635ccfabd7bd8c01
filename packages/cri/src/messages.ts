/** The messages of the interface, generated from ../proto/runtime.proto. Importing a value loads all of them. */
export * from './generated/runtime_pb.js';
