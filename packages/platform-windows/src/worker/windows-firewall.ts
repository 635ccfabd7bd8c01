import { win32 } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { Firewall, FirewallRule } from '@fenestra/platform';
import { systemFolder } from '../host/system-folder.ts';
import type { Native } from '../native.ts';
import { readTexts } from '../registry/registry.ts';
import { addRuleArguments, deleteRuleArguments, letsIn, parseStoredRule, type StoredRule } from './firewall-rules.ts';
import { runNetsh } from './run-netsh.ts';

const RULES_KEY = String.raw`SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy\FirewallRules`;

/** Windows' own firewall: told by netsh, asked in the registry, where the answer is no sentence in some language. */
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
