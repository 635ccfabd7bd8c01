import { expect, test } from 'vitest';
import { KUBE_JOIN_CHECKS } from './examine.ts';
import { waivedChecks } from './waived-checks.ts';

const waived = (...names: readonly string[]): readonly string[] => waivedChecks(names, KUBE_JOIN_CHECKS);

test('checks are waived by name, whatever the case', () => {
  expect(waived('Swap', 'runtime')).toEqual(['swap', 'runtime']);
});

test('all waives every check, and must stand alone', () => {
  expect(waived('all')).toEqual(KUBE_JOIN_CHECKS);
  expect(() => waived('all', 'swap')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test("kubeadm's names mean the same, on Windows too", () => {
  expect(waived('CRI', 'Port-10250', String.raw`FileAvailable-\etc\kubernetes\kubelet.conf`, 'KubeletVersion')).toEqual(
    ['runtime', 'port-10250', 'leftover-state', 'kubelet-version'],
  );
  expect(waived('NumCPU')).toEqual(['']);
});

test('a typo is no waiver', () => {
  expect(() => waived('swapp')).toThrow(
    expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('swap') }),
  );
});
