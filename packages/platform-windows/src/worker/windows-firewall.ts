import { win32 } from 'node:path';
import { execFile } from 'node:child_process';
import { OperatorError } from '@fenestra/kernel';
import { type Firewall, type FirewallRule, childEnvironment } from '@fenestra/platform';
import { systemFolder } from '../bindings/kernel32.ts';
import type { Native } from '../native.ts';
import { readTexts } from '../registry/registry.ts';

const RULES_KEY = String.raw`SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy\FirewallRules`;

/** Windows' own firewall: changed by netsh, asked in the registry, where the answer is not a sentence in some language. */
export function windowsFirewall(native: Native): Firewall {
  const netsh = win32.join(systemFolder(native.kernel32), 'netsh.exe');
  const state = (rule: FirewallRule): Awaited<ReturnType<Firewall['state']>> => {
    const rules = storedRules(native);
    if (rules === undefined) return 'unknown';
    return rules.some((stored) => letsIn(stored, rule)) ? 'open' : 'closed';
  };
  const close = async (name: string): Promise<void> => {
    // Where rules cannot be read they are deleted unseen, and netsh calls an absent one a failure.
    if (isStored(native, name) === false) return;
    const said = await runNetsh(netsh, deleteRuleArguments(name));
    if (isStored(native, name) === true) throw notTaken(`close the firewall rule "${name}"`, said);
  };
  return {
    managed: true,
    state: async (rule) => state(rule),
    async open(rule) {
      if (state(rule) === 'open') return;
      await close(rule.name);
      const said = await runNetsh(netsh, addRuleArguments(rule));
      if (said.exitCode !== 0 || state(rule) === 'closed')
        throw notTaken(`open the firewall rule "${rule.name}"`, said);
    },
    close,
  };
}

function storedRules(native: Native): readonly StoredRule[] | undefined {
  return readTexts(native, RULES_KEY)?.map(parseStoredRule);
}

function isStored(native: Native, name: string): boolean | undefined {
  return storedRules(native)?.some((stored) => stored.get('Name') === name);
}

function notTaken(action: string, { exitCode, output }: { exitCode: number; output: string }): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot ${action} of Windows`, {
    hint: 'See whether a group policy forbids it, and whether the service "MpsSvc" runs.',
    details: { exitCode, output: output.trim() },
  });
}

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

/** What netsh is instructed to add the rule. */
export function addRuleArguments({ name, description, protocol, port }: FirewallRule): readonly string[] {
  const which = [`name=${name}`, `description=${description}`];
  const traffic = ['dir=in', 'action=allow', 'enable=yes', 'profile=any', `protocol=${protocol}`, `localport=${port}`];
  return ['advfirewall', 'firewall', 'add', 'rule', ...which, ...traffic];
}

function deleteRuleArguments(name: string): readonly string[] {
  return ['advfirewall', 'firewall', 'delete', 'rule', `name=${name}`];
}

const LIMIT_MS = 60_000;

/** Runs netsh by its whole path and without a shell. That it refuses is an answer; that it cannot be run is an error. */
function runNetsh(path: string, args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      path,
      [...args],
      { windowsHide: true, timeout: LIMIT_MS, env: childEnvironment() },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : error.code;
        if (typeof exitCode === 'number') resolve({ exitCode, output: `${stdout}${stderr}` });
        else reject(cannotRun(path, error));
      },
    );
  });
}

function cannotRun(path: string, cause: unknown): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot run "${path}"`, {
    hint: 'See whether that program is there and answers.',
    cause,
  });
}
