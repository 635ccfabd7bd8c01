import { expect, test } from 'vitest';
import { waivedChecks } from './kube-waiver.ts';
import { KUBE_JOIN_CHECKS } from './worker-checks.ts';

const waived = (...names: readonly string[]): readonly string[] => waivedChecks(names, KUBE_JOIN_CHECKS);

test('checks are waived by name, whatever the case', () => {
  expect(waived('Swap', 'ports')).toEqual(['swap', 'ports']);
});

test('all waives every check, and must stand alone', () => {
  expect(waived('all')).toEqual(KUBE_JOIN_CHECKS.map(({ name }) => name));
  expect(() => waived('all', 'swap')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test("kubeadm's names mean the same, on Windows too", () => {
  expect(waived('CRI', 'Port-10250', String.raw`FileAvailable-\etc\kubernetes\kubelet.conf`, 'KubeletVersion')).toEqual(
    ['container-runtime', 'ports', 'leftover-state', 'kubelet-version'],
  );
  expect(waived('NumCPU')).toEqual([]);
});

test('names of earlier versions are accepted', () => {
  expect(waived('runtime', 'port-10250', 'existing-node')).toEqual(['container-runtime', 'ports', 'node-name']);
});

test('a typo is not a waiver', () => {
  expect(() => waived('swapp')).toThrow(
    expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('swap') }),
  );
});
