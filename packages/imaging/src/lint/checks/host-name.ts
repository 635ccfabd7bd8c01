import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { isTruthy } from '../../cloudbase/cloud-config/python-value.ts';
import { windowsHostName } from '../../cloudbase/host-name.ts';
import { found, type Finding, type Verdict } from '../finding.ts';
import type { ConfigPlace } from './config-place.ts';
import { wrongType } from './entries.ts';

/** `hostname` and `set_hostname`: a new name means a reboot, and everything again. */
export function checkHostName(entry: Entry, all: readonly Entry[], { inPart }: ConfigPlace): Verdict {
  const { key, line, path, value } = entry;
  if (typeof value !== 'string' || value === '') return wrongType(entry, 'a text');
  const name = windowsHostName(value);
  const hasCommands = all.some((other) => other.key === 'runcmd' && isTruthy(other.value));
  const effect = `names the host "${name}"; if that is new, the machine reboots${inPart ? '' : ' after all other keys'} and does all again`;
  return {
    findings: [
      hasCommands
        ? found('hostname-with-commands', { line, path }, `"${key}" makes "runcmd" run before the reboot and after it`)
        : found('hostname-reboot', { line, path }, `"${key}" makes the machine reboot, and do all of this again`),
      ...checkShortened(entry, value, name),
    ],
    outcomes: [{ line, subject: key, fate: 'partly', effect }],
  };
}

function checkShortened({ line, path }: Entry, wished: string, name: string): readonly Finding[] {
  if (wished.toLowerCase() === name.toLowerCase()) return [];
  return [found('hostname-shortened', { line, path }, `"${wished}" becomes "${name}"`)];
}
