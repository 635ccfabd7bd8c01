import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { executableTarget, HEADER_BYTES } from './executable-target.ts';

function elf(fileClass: number, abi: number, machine: number): Buffer {
  const header = Buffer.alloc(64);
  header.writeUInt32BE(0x7f454c46, 0);
  header.set([fileClass, 1, 1, abi], 4);
  header.writeUInt16LE(machine, 18);
  return header;
}

function pe(machine: number, offset = 128): Buffer {
  const header = Buffer.alloc(512);
  header.write('MZ');
  header.writeUInt32LE(offset, 60);
  header.write('PE\0\0', 128);
  header.writeUInt16LE(machine, 132);
  return header;
}

test.each([
  ['a 64-bit ELF', elf(2, 0, 62), { os: 'linux', arch: 'x64' }],
  ['an ARM64 ELF', elf(2, 3, 183), { os: 'linux', arch: 'arm64' }],
  ['a 32-bit ARM ELF', elf(1, 0, 40), { os: 'linux', arch: 'arm' }],
  ['64-bit code in a 32-bit ELF', elf(1, 0, 62), { os: 'linux', arch: 'other' }],
  ['a RISC-V ELF', elf(2, 0, 243), { os: 'linux', arch: 'other' }],
  ['a 64-bit PE', pe(0x8664), { os: 'windows', arch: 'x64' }],
  ['an ARM64 PE', pe(0xaa64), { os: 'windows', arch: 'arm64' }],
  ['a 32-bit PE', pe(0x14c), { os: 'windows', arch: 'x86' }],
])('executableTarget knows %s', (_what, header, target) => {
  expect(executableTarget(header)).toEqual(target);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('#!/bin/sh\n'.repeat(20))],
  ["another system's ELF", elf(2, 9, 62)],
  ['a DOS program', pe(0x8664, 4000)],
  ['a header that points far away', pe(0x8664, 0xffff_fff0)],
  ['a cut-off ELF', elf(2, 0, 62).subarray(0, 19)],
  ['a cut-off PE', pe(0x8664).subarray(0, 130)],
])('executableTarget takes %s for no program', (_what, header) => {
  expect(executableTarget(header)).toBeUndefined();
});

test('executableTarget knows the program that runs this test', () => {
  const header = readFileSync(process.execPath).subarray(0, HEADER_BYTES);
  expect(executableTarget(header)?.arch).toBe(process.arch);
});
