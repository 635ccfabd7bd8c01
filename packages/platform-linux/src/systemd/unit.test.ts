import { RECOVERY_POLICY, type ServiceSpec } from '@fenestra/platform';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
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
      expect(specOf('edgecore', parseUnit(unitText(odd, 252)), true)).toEqual(odd);
    }),
  );
});

test("a line separator of Unicode's is a character of its setting, as it is for systemd", () => {
  const odd: ServiceSpec = { ...spec, displayName: 'a\u2028b', args: ['\u2029'], writableFolders: ['/\u2028'] };
  expect(specOf('edgecore', parseUnit(unitText(odd, 252)), true)).toEqual(odd);
});

test('no text can smuggle a directive into the unit', () => {
  const unit = parseUnit(
    unitText({ ...spec, displayName: 'x\nExecStartPre=/bin/evil\\', args: ['\n[Service]\nUser=x'] }, 252),
  );
  expect([...unit.keys()].filter((key) => /ExecStartPre|User/.test(key))).toEqual([]);
  expect(unit.get('Unit.After')).toBe('network.target');
});

test('the waits before restarts grow only where systemd can do that', () => {
  expect(unitText(spec, 252)).not.toContain('RestartSteps');
  expect(unitText(spec, 254)).toContain('RestartSec=60\nRestartSteps=2\nRestartMaxDelaySec=300\n');
});

test('a unit is never restricted in what it may write or mount unless folders are given', () => {
  expect(unitText(spec, 252)).not.toMatch(/^(Protect|Private|ReadOnly|RestrictNamespaces|RestrictSUIDSGID|Device)/m);
  expect(unitText({ ...spec, writableFolders: ['/var/lib/x'] }, 252)).toContain('ReadWritePaths="/var/lib/x"\n');
});

test('nothing is taken from a program that is not ours, and that is read back', () => {
  const text = unitText({ ...spec, rights: 'all' }, 252);
  expect(text).not.toMatch(/^(UMask|NoNewPrivileges|CapabilityBoundingSet|Restrict|LockPersonality|SystemCall)/m);
  expect(specOf('edgecore', parseUnit(text), true)).toEqual({ ...spec, rights: 'all' });
});

test('a program that is not ours is brought back however it ends, unless there was nothing to run', () => {
  const text = unitText({ ...spec, rights: 'all' }, 252);
  expect(text).toContain('Restart=always\nRestartPreventExitStatus=75\nSuccessExitStatus=75\nRestartSec=60\n');
  expect(unitText(spec, 252)).toContain('Restart=on-failure\nRestartSec=60\n');
  expect(registeredRecovery(parseUnit(text))).toEqual(RECOVERY_POLICY);
});

test('startTypeOf believes systemd about starting with the system, and the unit about the rest', () => {
  const delayed = parseUnit(unitText({ ...spec, startType: 'automatic-delayed' }, 252));
  const disabled = parseUnit(unitText({ ...spec, startType: 'disabled' }, 252));
  expect([startTypeOf(delayed, true), startTypeOf(delayed, false)]).toEqual(['automatic-delayed', 'manual']);
  expect([startTypeOf(disabled, true), startTypeOf(disabled, false)]).toEqual(['automatic', 'disabled']);
});

test('registeredRecovery does not claim a policy that an edited unit no longer has', () => {
  const edited = unitText(spec, 252).replace('Restart=on-failure', 'Restart=no');
  expect(registeredRecovery(parseUnit(edited)).restartDelaysSeconds).toEqual([]);
  expect(registeredRecovery(parseUnit(unitText(spec, 252)))).toEqual(RECOVERY_POLICY);
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
