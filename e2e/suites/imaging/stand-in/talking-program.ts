/** Where the file's only section is, in the file and in memory. */
const SECTION_AT = 0x200;
const SECTION_ADDRESS = 0x1000;
const MODULE = 'kernel32.dll';
const CALLS = ['GetStdHandle', 'WriteFile', 'ExitProcess'] as const;

/** Where the parts are in the section. */
const IMPORTS_AT = 0x80;
const LOOKUP_AT = 0xb0;
const ADDRESSES_AT = 0xd0;
const NAMES_AT = 0xf0;
const NAME_BYTES = 0x10;
const MODULE_AT = 0x120;
const COUNT_AT = 0x130;
const TEXT_AT = 0x140;

/**
 * A Windows program for x86-64 of about a kilobyte that prints one text and ends: a stand-in for a program that is only
 * ever asked who it is. See https://learn.microsoft.com/windows/win32/debug/pe-format.
 */
export function talkingProgram(text: string): Buffer {
  const section = Buffer.alloc(aligned(TEXT_AT + text.length, 0x200));
  code(text.length).copy(section);
  writeImports(section);
  section.write(text, TEXT_AT, 'latin1');
  const headers = Buffer.alloc(SECTION_AT);
  writeHeaders(headers, section.length);
  return Buffer.concat([headers, section]);
}

/** Positions are relative to the end of each instruction. */
function code(length: number): Buffer {
  const parts: Buffer[] = [];
  const end = (size: number): number => parts.reduce((sum, part) => sum + part.length, 0) + size;
  const add = (hex: string): void => void parts.push(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  const addTo = (hex: string, target: number): void =>
    add(`${hex}${word(target - end(hex.replaceAll(' ', '').length / 2 + 4))}`);
  const call = (index: number): void => addTo('ff 15', ADDRESSES_AT + index * 8);
  add('48 83 ec 38'); // sub rsp, 56
  add('b9 f5 ff ff ff'); // mov ecx, STD_OUTPUT_HANDLE
  call(0);
  add('48 89 c1'); // mov rcx, rax
  addTo('48 8d 15', TEXT_AT); // lea rdx, text
  add(`41 b8 ${word(length)}`); // mov r8d, length
  addTo('4c 8d 0d', COUNT_AT); // lea r9, count
  add('48 c7 44 24 20 00 00 00 00'); // mov qword [rsp+32], 0
  call(1);
  add('31 c9'); // xor ecx, ecx
  call(2);
  return Buffer.concat(parts);
}

function word(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes.toString('hex');
}

/** Where a part of the section is in memory. */
function inMemory(offset: number): number {
  return SECTION_ADDRESS + offset;
}

function writeImports(section: Buffer): void {
  section.writeUInt32LE(inMemory(LOOKUP_AT), IMPORTS_AT);
  section.writeUInt32LE(inMemory(MODULE_AT), IMPORTS_AT + 12);
  section.writeUInt32LE(inMemory(ADDRESSES_AT), IMPORTS_AT + 16);
  section.write(MODULE, MODULE_AT, 'latin1');
  for (const [index, name] of CALLS.entries()) {
    const nameAt = NAMES_AT + index * NAME_BYTES;
    section.write(name, nameAt + 2, 'latin1');
    for (const table of [LOOKUP_AT, ADDRESSES_AT])
      section.writeBigUInt64LE(BigInt(inMemory(nameAt)), table + index * 8);
  }
}

function writeHeaders(headers: Buffer, sectionBytes: number): void {
  headers.write('MZ', 0, 'latin1');
  headers.writeUInt32LE(0x40, 0x3c);
  headers.write('PE\0\0', 0x40, 'latin1');
  writeFileHeader(headers, 0x44);
  writeOptionalHeader(headers, 0x58, sectionBytes);
  writeSectionHeader(headers, 0x58 + 0xf0, sectionBytes);
}

function writeFileHeader(headers: Buffer, at: number): void {
  headers.writeUInt16LE(0x8664, at); // x86-64
  headers.writeUInt16LE(1, at + 2); // one section
  headers.writeUInt16LE(0xf0, at + 16); // the size of the optional header
  headers.writeUInt16LE(0x22, at + 18); // executable, may be anywhere in memory
}

function writeOptionalHeader(headers: Buffer, at: number, sectionBytes: number): void {
  headers.writeUInt16LE(0x20b, at); // of 64 bits
  headers.writeUInt32LE(sectionBytes, at + 4);
  headers.writeUInt32LE(SECTION_ADDRESS, at + 16); // where it begins
  headers.writeUInt32LE(SECTION_ADDRESS, at + 20);
  headers.writeBigUInt64LE(0x1_4000_0000n, at + 24); // where it wants to be in memory
  headers.writeUInt32LE(0x1000, at + 32); // alignment in memory
  headers.writeUInt32LE(0x200, at + 36); // alignment in the file
  for (const version of [40, 48]) headers.writeUInt16LE(6, at + version); // of Windows Vista or later
  headers.writeUInt32LE(SECTION_ADDRESS + aligned(sectionBytes, 0x1000), at + 56); // size in memory
  headers.writeUInt32LE(SECTION_AT, at + 60); // size of the headers
  headers.writeUInt16LE(3, at + 68); // for the console
  for (const [offset, size] of [
    [72, 0x10_0000n], // stack: reserved
    [80, 0x1000n], // stack: at once
    [88, 0x10_0000n], // heap: reserved
    [96, 0x1000n], // heap: at once
  ] as const)
    headers.writeBigUInt64LE(size, at + offset);
  headers.writeUInt32LE(16, at + 108); // tables
  headers.writeUInt32LE(SECTION_ADDRESS + IMPORTS_AT, at + 120);
  headers.writeUInt32LE(40, at + 124);
}

function writeSectionHeader(headers: Buffer, at: number, sectionBytes: number): void {
  headers.write('.text', at, 'latin1');
  headers.writeUInt32LE(sectionBytes, at + 8);
  headers.writeUInt32LE(SECTION_ADDRESS, at + 12);
  headers.writeUInt32LE(sectionBytes, at + 16);
  headers.writeUInt32LE(SECTION_AT, at + 20);
  headers.writeUInt32LE(0xe000_0060, at + 36); // code and data, to be read, written and run
}

function aligned(size: number, step: number): number {
  return Math.ceil(size / step) * step;
}
