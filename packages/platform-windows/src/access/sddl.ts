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
