import { execFileSync } from 'node:child_process';
import { RECOVERY_POLICY, type ServiceSpec } from '@fenestra/platform';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWords } from './exec-words.ts';
import { parseUnit, registeredRecovery, specOf, startTypeOf } from './read-unit.ts';
import { unitText } from './unit-text.ts';

const spec: ServiceSpec = {
  name: 'edgecore',
  displayName: 'Edge core',
  description: 'Keeps the node alive',
  executable: '/usr/local/bin/edgecore',
  args: ['--config', '/etc/kubeedge/config/edgecore.yaml'],
  startType: 'automatic',
  dependencies: [],
  recovery: RECOVERY_POLICY,
  writableFolders: [],
};

test('a spec written to a unit file is read back', () => {
  const text = fc.string({ unit: 'binary' });
  const folder = text.filter((path) => !path.includes('\u0000')).map((path) => `/${path}`);
  fc.assert(
    fc.property(text, text, fc.array(text), fc.array(folder), (displayName, description, args, writableFolders) => {
      const odd: ServiceSpec = {
        ...spec,
        displayName,
        description,
        args,
        writableFolders,
        dependencies: ['containerd'],
      };
      expect(specOf('edgecore', parseUnit(unitText(odd)), true)).toEqual(odd);
    }),
  );
});

test("a line separator of Unicode's is a character of its setting, as it is for systemd", () => {
  const odd: ServiceSpec = { ...spec, displayName: 'a\u2028b', args: ['\u2029'], writableFolders: ['/\u2028'] };
  expect(specOf('edgecore', parseUnit(unitText(odd)), true)).toEqual(odd);
});

test('no text can smuggle a directive into the unit', () => {
  const unit = parseUnit(
    unitText({ ...spec, displayName: 'x\nExecStopPost=/bin/evil\\', args: ['\n[Service]\nUser=x'] }),
  );
  expect([...unit.keys()].filter((key) => /ExecStopPost|User/.test(key))).toEqual([]);
  expect(unit.get('Unit.After')).toBe('network.target');
});

test('the waits before restarts grow on every version of systemd, and not where they are all alike', () => {
  expect(unitText(spec)).toContain('RestartSec=60\n');
  expect(unitText(spec)).toContain('TimeoutStartSec=330\n');
  const steady = { ...spec, recovery: { restartDelaysSeconds: [5], resetAfterSeconds: 60 } };
  expect(unitText(steady)).not.toContain('ExecStartPre');
});

test.each([
  ['after a start by hand', 0, 10, 'sleep 0'],
  ['after the first failure', 1, 10, 'sleep 0'],
  ['after the second failure', 2, 10, 'sleep 60'],
  ['after the third failure', 3, 10, 'sleep 240'],
  ['after many failures', 99, 10, 'sleep 240'],
  ['after a day without a failure', 99, 86_400, 'systemctl reset-failed edgecore.service'],
])('the further wait %s', (_name, restarts, ranSeconds, expected) => {
  const [executable = '', ...args] = parseWords(parseUnit(unitText(spec)).get('Service.ExecStartPre') ?? '');
  expect(executable).toBe('-/bin/sh');
  const answer = `NRestarts=${restarts}\nActiveEnterTimestampMonotonic=5000000\nActiveExitTimestampMonotonic=${5_000_000 + ranSeconds * 1_000_000}`;
  const script = (args[1] ?? '').replaceAll('$$', '$');
  // What would be executed is printed; only what systemd answers is given.
  const shown = `systemctl() { echo "${answer}"; }; ${script.replaceAll('exec ', 'echo ')}`;
  const output = execFileSync('/bin/sh', ['-c', shown], { encoding: 'utf8' });
  expect(output.split('\n')[0]).toBe(expected);
});

test('a unit is never restricted in what it may write or mount unless folders are given', () => {
  expect(unitText(spec)).not.toMatch(/^(Protect|Private|ReadOnly|RestrictNamespaces|RestrictSUIDSGID|Device)/m);
  expect(unitText({ ...spec, writableFolders: ['/var/lib/x'] })).toContain('ReadWritePaths="/var/lib/x"\n');
});

test('nothing is taken from a program that is not ours, and that is read back', () => {
  const text = unitText({ ...spec, rights: 'all' });
  expect(text).not.toMatch(/^(UMask|NoNewPrivileges|CapabilityBoundingSet|Restrict|LockPersonality|SystemCall)/m);
  expect(specOf('edgecore', parseUnit(text), true)).toEqual({ ...spec, rights: 'all' });
});

test('a program that is not ours is brought back however it ends, unless there was nothing to run', () => {
  const text = unitText({ ...spec, rights: 'all' });
  expect(text).toContain('Restart=always\nRestartPreventExitStatus=75\nSuccessExitStatus=75\nRestartSec=60\n');
  expect(unitText(spec)).toContain('Restart=on-failure\nRestartSec=60\n');
  expect(registeredRecovery(parseUnit(text))).toEqual(RECOVERY_POLICY);
});

test('startTypeOf believes systemd about starting with the system, and the unit about the rest', () => {
  const delayed = parseUnit(unitText({ ...spec, startType: 'automatic-delayed' }));
  const disabled = parseUnit(unitText({ ...spec, startType: 'disabled' }));
  expect([startTypeOf(delayed, true), startTypeOf(delayed, false)]).toEqual(['automatic-delayed', 'manual']);
  expect([startTypeOf(disabled, true), startTypeOf(disabled, false)]).toEqual(['automatic', 'disabled']);
});

test('registeredRecovery does not claim a policy that an edited unit no longer has', () => {
  const edited = unitText(spec).replace('Restart=on-failure', 'Restart=no');
  expect(registeredRecovery(parseUnit(edited)).restartDelaysSeconds).toEqual([]);
  expect(registeredRecovery(parseUnit(unitText(spec)))).toEqual(RECOVERY_POLICY);
});

test('a unit that others have written can be read', () => {
  const foreign =
    '[Unit]\nDescription=edgecore.service\n[Service]\nType=simple\nExecStart=/usr/local/bin/edgecore\nRestart=always\nRestartSec=10\n';
  expect(specOf('edgecore', parseUnit(foreign), true)).toMatchObject({
    executable: '/usr/local/bin/edgecore',
    displayName: 'edgecore.service',
    recovery: { restartDelaysSeconds: [10] },
  });
});
