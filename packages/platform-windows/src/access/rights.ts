/** The rights of files and folders, by their names in SDDL. */
const MASKS: Readonly<Record<string, number>> = {
  FA: 0x1f01ff,
  FR: 0x120089,
  FW: 0x120116,
  FX: 0x1200a0,
  GA: 0x1000_0000,
  GR: 0x8000_0000,
  GW: 0x4000_0000,
  GX: 0x2000_0000,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
  SD: 0x1_0000,
  RC: 0x2_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
};

/** Rights to a folder that lead to what is in it, or to the folder's own name. */
export const FOLDER_RIGHT = {
  DELETE_CHILD: 0x40,
  DELETE: 0x1_0000,
  WRITE_DAC: 0x4_0000,
  WRITE_OWNER: 0x8_0000,
} as const;

const FULL = 0x1f01ff;
const GENERIC_ALL = 0x1000_0000;
/** Write and append data, write attributes, delete, delete children, change rights and owner, generic write. */
const CHANGES = 0x400d_0156;
/** Read data, generic read and all. */
const READS = 0x9000_0001;

/** The bits of the rights that an SDDL entry names. */
export function maskOf(rights: readonly string[]): number {
  return rights.reduce((mask, right) => (mask | (MASKS[right] ?? Number.parseInt(right, 16))) >>> 0, 0);
}

/** Whether the bits allow everything one can do with a file. */
export function isFullControl(mask: number): boolean {
  return (mask & FULL) === FULL || (mask & GENERIC_ALL) !== 0;
}

/** Whether the bits allow to change a file or folder, or what is in it. */
export function mayChange(mask: number): boolean {
  return isFullControl(mask) || (mask & CHANGES) !== 0;
}

/** What somebody with these bits can do, in words. */
export function describeRights(mask: number): string {
  if (isFullControl(mask)) return 'has full control';
  if ((mask & CHANGES) !== 0) return 'can change it';
  if ((mask & READS) !== 0) return 'can read it';
  return 'has some rights';
}
