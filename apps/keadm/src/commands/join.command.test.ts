import { expect, test } from 'vitest';
import { Command } from 'commander';
import type { PlannedJoin } from '@fenestra/lifecycle';
import type { NamedFinding } from '@fenestra/session';
import { warningLines } from '../cli/findings-text.ts';
import type { JoinFlags } from './join-flags.ts';
import { joinOptions } from './join-options.ts';
import { notAppliedLines } from './join.command.ts';

function parse(...args: readonly string[]): JoinFlags {
  const command = joinOptions(new Command('join')).exitOverride();
  command.parse(args, { from: 'user' });
  return command.opts<JoinFlags>();
}

test("join understands the flags of upstream's keadm", () => {
  const words = '-e 10.0.0.5:10000 -i press-7 -p unix:///run/c.sock -t TOKEN -s 10012 -l a=b,c=d'.split(' ');
  const more = '--kubeedge-version v1.23.0 --tarballpath /media --cgroupdriver systemd --hub-protocol websocket'.split(
    ' ',
  );
  expect(parse(...words, ...more)).toMatchObject({
    cloudcoreIpport: '10.0.0.5:10000',
    edgenodeName: 'press-7',
    remoteRuntimeEndpoint: 'unix:///run/c.sock',
    token: 'TOKEN',
    certport: 10_012,
    labels: ['a=b', 'c=d'],
    kubeedgeVersion: 'v1.23.0',
    tarballpath: '/media',
    cgroupdriver: 'systemd',
  });
});

test('join takes several fields and several waived checks', () => {
  const flags = parse('--set', 'a.b={x,y}', '--set', 'c=d', '--skip-check', 'ports,disk', '--skip-check', 'clock');
  expect(flags.set).toEqual(['a.b={x,y}', 'c=d']);
  expect(flags.skipCheck).toEqual(['ports', 'disk', 'clock']);
});

test("join takes upstream's list of fields", () => {
  expect(parse('--set', 'a=1,b={x,y}', '--set', 'c="p,q"').set).toEqual(['a=1', 'b={x,y}', 'c="p,q"']);
});

test('join waits two minutes for the agent and watches it for five seconds, by default', () => {
  expect(parse()).toMatchObject({ wait: 120, settle: 5, scriptLimit: 300, dryRun: false });
  expect(parse('--wait', '2m30s', '--settle', '0s')).toMatchObject({ wait: 150, settle: 0 });
});

test.each([
  ['--hub-protocol', 'quic'],
  ['--certPath', '/certs'],
  ['--image-repository', 'r'],
  ['--with-mqtt'],
  ['--runtimetype', 'docker'],
  ['--download-repo', 'r'],
])('join knows "%s" and says what to do instead', (...args) => {
  expect(() => parse(...args)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

const finding = (name: string, verdict: NamedFinding['verdict']): NamedFinding => ({
  name,
  verdict,
  reason: 'r',
});
const nothing: PlannedJoin['notApplied'] = { settings: [], version: undefined };

test('a join that did all it was asked for has nothing to add', () => {
  expect(notAppliedLines(nothing)).toEqual([]);
});

test('what a join did not do is named, with the command that does it', () => {
  const [settings, version] = notAppliedLines({ settings: ['modules.edgeHub.heartbeat', 'a.b'], version: 'v0.2.0' });
  expect(settings).toMatch(/modules\.edgeHub\.heartbeat, a\.b.*keadm config set/);
  expect(version).toMatch(/v0\.2\.0.*keadm upgrade/);
});

test('warnings are printed, and failures that were waived', () => {
  const findings = [finding('time', 'warn'), finding('disk', 'pass'), finding('ports', 'fail')];
  expect(warningLines(findings, ['ports']).split('\n')).toHaveLength(3);
  expect(warningLines(findings, [])).not.toContain('ports');
});
