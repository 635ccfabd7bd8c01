import type { AgentTarget } from './agent-source.ts';

/** How much of a file `executableTarget` needs to see. */
export const HEADER_BYTES = 4096;

const ELF_MAGIC = 0x7f45_4c46;
/** System V, which Linux programs claim, and Linux proper. */
const ELF_LINUX = [0, 3];
/** By the file's class and the machine: a 32-bit file with 64-bit code is for neither. */
const ELF_MACHINES: Readonly<Record<string, string>> = { '1/3': 'x86', '1/40': 'arm', '2/62': 'x64', '2/183': 'arm64' };

const DOS_MAGIC = 0x4d5a;
const PE_MAGIC = 0x5045_0000;
const PE_MACHINES: Readonly<Record<number, string>> = { 0x014c: 'x86', 0x01c4: 'arm', 0x8664: 'x64', 0xaa64: 'arm64' };

/** Reads from a file's first bytes which system and processor it runs on; `undefined` if it is not a program for either system. */
export function executableTarget(header: Uint8Array): AgentTarget | undefined {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  return elfTarget(view) ?? peTarget(view);
}

/** See https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html. */
function elfTarget(view: DataView): AgentTarget | undefined {
  if (view.byteLength < 20 || view.getUint32(0) !== ELF_MAGIC || !ELF_LINUX.includes(view.getUint8(7)))
    return undefined;
  const machine = `${view.getUint8(4)}/${view.getUint16(18, true)}`;
  return { os: 'linux', arch: ELF_MACHINES[machine] ?? 'other' };
}

/** See https://learn.microsoft.com/windows/win32/debug/pe-format. */
function peTarget(view: DataView): AgentTarget | undefined {
  if (view.byteLength < 64 || view.getUint16(0) !== DOS_MAGIC) return undefined;
  const offset = view.getUint32(60, true);
  if (offset + 6 > view.byteLength || view.getUint32(offset) !== PE_MAGIC) return undefined;
  return { os: 'windows', arch: PE_MACHINES[view.getUint16(offset + 4, true)] ?? 'other' };
}
