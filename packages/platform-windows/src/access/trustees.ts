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
