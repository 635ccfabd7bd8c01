/** Where the program is in memory; below 2 GiB, so that every address fits into 32 bits. */
const BASE = 0x400000;
const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const CODE_AT = ELF_HEADER_BYTES + PROGRAM_HEADER_BYTES;
/** Readable and executable. */
const LOAD_FLAGS = 5;
const PAGE = 0x1000;

/**
 * A Linux program for x86-64 of a few hundred bytes that becomes another program: it runs `program` with these three
 * words before whatever arguments it gets itself. A script could do that, but no one takes a script for a kubelet.
 */
export function launcher(program: string, words: readonly [string, string, string]): Buffer {
  const texts = [program, ...words].map((text) => Buffer.from(`${text}\0`));
  const begin = CODE_AT + code([0, 0, 0, 0]).length;
  const addresses = texts.map((_, index) => BASE + begin + lengthOf(texts.slice(0, index)));
  const body = Buffer.concat([code(addresses), ...texts]);
  return Buffer.concat([elfHeader(), programHeader(CODE_AT + body.length), body]);
}

/**
 * At its start a program finds the count of its arguments on the stack and the arguments above it. The four words take
 * the place of the count, of the first argument, and of the room below: what follows are the other arguments already.
 */
function code([program = 0, first = 0, second = 0, third = 0]: readonly number[]): Buffer {
  const instructions = [
    '48 8b 0c 24', // mov rcx, [rsp]
    '48 8d 54 cc 10', // lea rdx, [rsp+rcx*8+16]: the environment
    `b8 ${word(program)} 48 89 44 24 f0`, // mov [rsp-16], program
    `b8 ${word(first)} 48 89 44 24 f8`, // mov [rsp-8], first
    `b8 ${word(second)} 48 89 04 24`, // mov [rsp], second
    `b8 ${word(third)} 48 89 44 24 08`, // mov [rsp+8], third
    `bf ${word(program)}`, // mov edi, program
    '48 8d 74 24 f0', // lea rsi, [rsp-16]
    `b8 ${word(59)} 0f 05`, // execve
    `bf ${word(127)} b8 ${word(60)} 0f 05`, // exit(127)
  ];
  return Buffer.from(instructions.join('').replaceAll(' ', ''), 'hex');
}

/** See https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html. */
function elfHeader(): Buffer {
  const header = Buffer.alloc(ELF_HEADER_BYTES);
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeUInt16LE(2, 16); // an executable
  header.writeUInt16LE(62, 18); // for x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(BASE + CODE_AT), 24);
  header.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32);
  header.writeUInt16LE(ELF_HEADER_BYTES, 52);
  header.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  header.writeUInt16LE(1, 56);
  return header;
}

/** Loads the whole file. */
function programHeader(size: number): Buffer {
  const header = Buffer.alloc(PROGRAM_HEADER_BYTES);
  header.writeUInt32LE(1, 0);
  header.writeUInt32LE(LOAD_FLAGS, 4);
  for (const at of [16, 24]) header.writeBigUInt64LE(BigInt(BASE), at);
  for (const at of [32, 40]) header.writeBigUInt64LE(BigInt(size), at);
  header.writeBigUInt64LE(BigInt(PAGE), 48);
  return header;
}

function word(value: number): string {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer.toString('hex');
}

function lengthOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}
