import type { ServiceSpec } from '@fenestra/platform';
import { NOTHING_TO_RUN } from '../service-host/posix-program-host.ts';
import { READINESS_VARIABLE } from '../service-host/readiness.ts';
import { quoteCommand, quoteWords } from './exec-words.ts';
import { hardeningSettings, growingDelays, settingLine, type Setting } from './unit-settings.ts';

/** Where services have their runtime folders. */
export const RUNTIME_FOLDER = '/run/fenestra';

/** The unit file for a service. What systemd has no directive for goes to a section that it ignores. */
export function unitText(spec: ServiceSpec): string {
  const sections: readonly (readonly [string, readonly Setting[]])[] = [
    ['Unit', unitSettings(spec)],
    ['Service', [...programSettings(spec), ...recoverySettings(spec), ...hardeningSettings(spec)]],
    ['Install', [['WantedBy', 'multi-user.target']]],
    ['X-Fenestra', ownSettings(spec)],
  ];
  return sections.map(([name, settings]) => `[${name}]\n${settings.map(settingLine).join('')}`).join('\n');
}

/** Where a service shows how far it is. systemd makes the folder for each run and removes it afterwards. */
export function readinessFile(name: string): string {
  return `${RUNTIME_FOLDER}/${name}/readiness`;
}

/** systemd's name of a service. */
export function unitName(name: string): string {
  return `${name}.service`;
}

function unitSettings({ displayName, dependencies, startType }: ServiceSpec): readonly Setting[] {
  const needed = dependencies.map(unitName);
  // A delayed service waits until everything else that starts with the system has been started.
  const delayed = startType === 'automatic-delayed' ? ['network-online.target', 'multi-user.target'] : [];
  return [
    ['Description', oneLine(displayName)],
    ['After', ['network.target', ...delayed, ...needed].join(' ')],
    ...(startType === 'automatic-delayed' ? [['Wants', 'network-online.target'] as const] : []),
    ...(needed.length > 0 ? [['Requires', needed.join(' ')] as const] : []),
    ...(startType === 'disabled' ? [['RefuseManualStart', 'yes'] as const] : []),
    // Never give up: a node that has lost its agent can be reached by no one.
    ['StartLimitIntervalSec', 0],
  ];
}

function programSettings({ name, executable, args }: ServiceSpec): readonly Setting[] {
  return [
    ['Type', 'exec'],
    ['ExecStart', quoteCommand(executable, args)],
    // The shell's own kill: the program of that name is in a package that small systems lack.
    ['ExecReload', '/bin/sh -c "kill -s HUP ${MAINPID}"'],
    ['RuntimeDirectory', `fenestra/${name}`],
    ['RuntimeDirectoryMode', '0700'],
    ['Environment', quoteWords([`${READINESS_VARIABLE}=${readinessFile(name)}`])],
    'A stop ends this program only: a keadm that it started may be what stops it, and pods keep running.',
    ['KillMode', 'process'],
    ['TimeoutStopSec', 60],
  ];
}

const OWN_RESTART: readonly Setting[] = [['Restart', 'on-failure']];
/** A program that is not ours may end with a good word although no one asked it to. */
const FOREIGN_RESTART: readonly Setting[] = [
  ['Restart', 'always'],
  ['RestartPreventExitStatus', NOTHING_TO_RUN],
  ['SuccessExitStatus', NOTHING_TO_RUN],
];

function recoverySettings({ name, recovery, rights }: ServiceSpec): readonly Setting[] {
  const [first] = recovery.restartDelaysSeconds;
  if (first === undefined) return [['Restart', 'no']];
  return [
    ...(rights === 'all' ? FOREIGN_RESTART : OWN_RESTART),
    ['RestartSec', first],
    ...growingDelays(unitName(name), recovery),
  ];
}

function ownSettings({ displayName, description, startType, recovery, rights }: ServiceSpec): readonly Setting[] {
  return [
    ['DisplayName', JSON.stringify(displayName)],
    ['Description', JSON.stringify(description)],
    ['StartType', startType],
    ['RestartDelaysSeconds', JSON.stringify(recovery.restartDelaysSeconds)],
    ['ResetAfterSeconds', recovery.resetAfterSeconds],
    ...(rights === undefined ? [] : [['Rights', rights] as const]),
  ];
}

/** For people to read; the blank after a backslash keeps it from joining the next line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('%', '%%').replace(/\\$/, '\\ ');
}
