import type { FirewallRule } from '@fenestra/platform';

/** The numbers by which Windows names protocols. */
const PROTOCOLS: Readonly<Record<FirewallRule['protocol'], string>> = { tcp: '6', udp: '17' };

/** A rule as the registry has it: fields between bars, `Action=Allow` and the like. */
export type StoredRule = ReadonlyMap<string, string>;

/** Reads a stored rule: `v2.31|Action=Allow|Active=TRUE|Dir=In|Protocol=6|LPort=10250|Name=x|`. */
export function parseStoredRule(text: string): StoredRule {
  const fields = text.split('|').filter((field) => field.includes('='));
  return new Map(fields.map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]));
}

/** Whether a stored rule lets exactly this traffic in, from everywhere and to every program. */
export function letsIn(stored: StoredRule, { name, protocol, port }: FirewallRule): boolean {
  const wanted = {
    Name: name,
    Action: 'Allow',
    Active: 'TRUE',
    Dir: 'In',
    Protocol: PROTOCOLS[protocol],
    LPort: `${port}`,
  };
  const holds = Object.entries(wanted).every(([field, value]) => stored.get(field) === value);
  return holds && !LIMITS.some((limit) => stored.has(limit));
}

/** Fields by which a rule lets in less: some networks, some addresses, one program, one service, one interface. */
const LIMITS = ['Profile', 'RA4', 'RA6', 'LA4', 'LA6', 'RPort', 'App', 'Svc', 'IF', 'IFType'];

/** What netsh is told to add the rule. */
export function addRuleArguments({ name, description, protocol, port }: FirewallRule): readonly string[] {
  const which = [`name=${name}`, `description=${description}`];
  const traffic = ['dir=in', 'action=allow', 'enable=yes', 'profile=any', `protocol=${protocol}`, `localport=${port}`];
  return ['advfirewall', 'firewall', 'add', 'rule', ...which, ...traffic];
}

/** What netsh is told to delete every rule of a name. */
export function deleteRuleArguments(name: string): readonly string[] {
  return ['advfirewall', 'firewall', 'delete', 'rule', `name=${name}`];
}
