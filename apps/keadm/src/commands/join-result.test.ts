import type { PlannedJoin } from '@fenestra/lifecycle';
import type { NamedFinding } from '@fenestra/session';
import { expect, test } from 'vitest';
import { warningLines } from '../cli/findings-text.ts';
import { notAppliedLines } from './join-result.ts';

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

test('warnings are told, and failures that were waived', () => {
  const findings = [finding('time', 'warn'), finding('disk', 'pass'), finding('ports', 'fail')];
  expect(warningLines(findings, ['ports']).split('\n')).toHaveLength(3);
  expect(warningLines(findings, [])).not.toContain('ports');
});
