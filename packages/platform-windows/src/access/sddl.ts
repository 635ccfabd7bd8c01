/** One entry of an access list. */
export interface AccessEntry {
  readonly kind: 'allow' | 'deny' | 'other';
  /** Two-letter names, such as `OI`, `CI`, `ID`. */
  readonly flags: readonly string[];
  /** Two-letter names such as `FA`, or one hexadecimal number. */
  readonly rights: readonly string[];
  /** A two-letter name such as `SY`, or a SID. */
  readonly trustee: string;
}

/** The parts of a security descriptor that say who may do what. */
export interface SecurityText {
  readonly owner: string | undefined;
  /** Whether the parent's entries are kept out. */
  readonly protected: boolean;
  /** `false` means there is no list at all, which lets everybody in. */
  readonly hasList: boolean;
  readonly entries: readonly AccessEntry[];
}

const KINDS: Readonly<Record<string, AccessEntry['kind']>> = { A: 'allow', XA: 'allow', D: 'deny', XD: 'deny' };

/** Reads a security descriptor from its text form, the Security Descriptor Definition Language. */
export function parseSddl(sddl: string): SecurityText {
  const owner = /^O:([A-Z]{2}|S-[\d-]+)(?=[GDS]:|$)/.exec(sddl)?.[1];
  const list = /D:([A-Z_]*)((?:\([^)]*\))*)/.exec(sddl);
  const flags = list?.[1] ?? '';
  return {
    owner,
    protected: /^(?:AR|AI)*P/.test(flags),
    hasList: list !== null && !flags.includes('NO_ACCESS_CONTROL'),
    entries: [...(list?.[2] ?? '').matchAll(/\(([^)]*)\)/g)].map(([, entry = '']) => parseEntry(entry)),
  };
}

function parseEntry(text: string): AccessEntry {
  const [kind = '', flags = '', rights = '', , , trustee = ''] = text.split(';');
  return { kind: KINDS[kind] ?? 'other', flags: pairs(flags), rights: parseRights(rights), trustee };
}

function parseRights(text: string): string[] {
  return text.startsWith('0x') ? [text.toLowerCase()] : pairs(text);
}

function pairs(text: string): string[] {
  return text.match(/../g) ?? [];
}

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

/** What someone with these bits can do, in words. */
export function describeRights(mask: number): string {
  if (isFullControl(mask)) return 'has full control';
  if ((mask & CHANGES) !== 0) return 'can change it';
  if ((mask & READS) !== 0) return 'can read it';
  return 'has some rights';
}

const TRUSTEES: Readonly<Record<string, string>> = {
  SY: 'SYSTEM',
  'S-1-5-18': 'SYSTEM',
  BA: 'Administrators',
  'S-1-5-32-544': 'Administrators',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464': 'TrustedInstaller',
  BU: 'Users',
  'S-1-5-32-545': 'Users',
  WD: 'Everyone',
  'S-1-1-0': 'Everyone',
  AU: 'Authenticated Users',
  'S-1-5-11': 'Authenticated Users',
  IU: 'Interactive',
  CO: 'Creator Owner',
  'S-1-3-0': 'Creator Owner',
  CG: 'Creator Group',
  'S-1-3-1': 'Creator Group',
  OW: 'Owner Rights',
  'S-1-3-4': 'Owner Rights',
  BG: 'Guests',
  AN: 'Anonymous',
  LS: 'Local Service',
  NS: 'Network Service',
  PU: 'Power Users',
  LA: 'the local Administrator',
};

/** What people call the holder of a right; a SID that is not well known stands for itself. */
export function trusteeName(trustee: string): string {
  return TRUSTEES[trustee] ?? trustee;
}
