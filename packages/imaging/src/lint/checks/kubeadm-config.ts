import { type Entry, itemsOf, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import type { KubeadmConfigSource } from '../../kubeadm-config/find-kubeadm-configs.ts';
import { type Finding, found, type KubeadmConfigContext } from '../finding.ts';
import { fieldMistakes, unknownField } from './kubeadm-config-form.ts';

/** What the API server and the provider do with a KubeadmConfig before there is any document. */
export function checkKubeadmConfig(
  { spec, strays, missing }: KubeadmConfigSource,
  { service, wrapped }: KubeadmConfigContext,
): readonly Finding[] {
  if (missing !== undefined) return checkMissing(spec, strays, missing);
  return [
    ...strays.map((stray) => unknownField(stray, [])),
    ...fieldMistakes(spec),
    ...itemsOf(spec, 'files').flatMap(checkFileLimits),
    ...checkCount(itemsOf(spec, 'files'), MOST_FILES, 'files'),
    ...COMMANDS.flatMap((key) => checkCommandLimits(spec, key)),
    ...checkFormat(spec),
    ...checkSwitches(spec),
    ...checkIdle(spec),
    ...(wrapped && service?.name === 'ec2'
      ? [found('capi-secrets-manager', spec, 'on AWS the document is wrapped unless that is switched off')]
      : []),
  ];
}

/** Another field may stand in its place: then its name is what is wrong. */
function checkMissing(object: Entry, strays: readonly Entry[], missing: string): readonly Finding[] {
  if (strays.length === 0) return [found('capi-field', object, `it has no "${missing}"`)];
  return strays.map((stray) => unknownField(stray, [missing]));
}

const COMMANDS = ['bootCommands', 'preKubeadmCommands', 'postKubeadmCommands'];

const LONGEST_PATH = 512;
const LONGEST_TEXT = 10_240;
const MOST_COMMANDS = 1000;
const MOST_FILES = 200;

function checkFileLimits(file: Entry): readonly Finding[] {
  return [
    ...checkLength(memberOf(file, 'path'), LONGEST_PATH),
    ...checkLength(memberOf(file, 'content'), LONGEST_TEXT),
  ];
}

function checkCommandLimits(spec: Entry, key: string): readonly Finding[] {
  const commands = itemsOf(spec, key);
  return [
    ...commands.flatMap((command) => checkLength(command, LONGEST_TEXT)),
    ...checkCount(commands, MOST_COMMANDS, 'commands'),
  ];
}

function checkCount(entries: readonly Entry[], most: number, what: string): readonly Finding[] {
  const first = entries[most];
  return first === undefined ? [] : [found('capi-limit', first, `there are more than ${most} ${what}`)];
}

function checkLength(entry: Entry | undefined, most: number): readonly Finding[] {
  if (typeof entry?.value !== 'string' || entry.value.length <= most) return [];
  return [found('capi-limit', entry, `it has ${entry.value.length} letters, and at most ${most} are allowed`)];
}

function checkFormat(spec: Entry): readonly Finding[] {
  const format = memberOf(spec, 'format');
  if (format === undefined || format.value === 'cloud-config' || format.value === '') return [];
  return [found('capi-format', format, `"${String(format.value)}" is not read on Windows`)];
}

/** The provider asks whether these are there, not what they say. */
function checkSwitches(spec: Entry): readonly Finding[] {
  const ntp = memberOf(spec, 'ntp');
  const switches = [
    ...itemsOf(spec, 'users').map((user) => memberOf(user, 'inactive')),
    ntp === undefined ? undefined : memberOf(ntp, 'enabled'),
  ];
  return switches
    .filter((entry) => entry?.value === false)
    .flatMap((entry) =>
      entry === undefined ? [] : [found('capi-false', entry, `"${entry.key}: false" counts as true`)],
    );
}

function checkIdle(spec: Entry): readonly Finding[] {
  const retry = memberOf(spec, 'useExperimentalRetryJoin');
  return retry === undefined ? [] : [found('capi-field-idle', retry, '"useExperimentalRetryJoin" does nothing')];
}
