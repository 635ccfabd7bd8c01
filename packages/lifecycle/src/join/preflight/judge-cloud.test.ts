import { X509Certificate } from 'node:crypto';
import { caHashOf, type JoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { CLOUD_CERTIFICATE } from '../testing/cloud-certificate.ts';
import type { CloudFacts } from './cloud-facts.ts';
import type { CloudFindings } from './join-checks.ts';
import { judgeCloud, type JoiningNode } from './judge-cloud.ts';

const certificate = new X509Certificate(CLOUD_CERTIFICATE).raw;
const now = new Date();
const token: JoinToken = { caHash: caHashOf(certificate), jwt: 'j', claims: { expiresAt: now.getTime() + 60_000 } };
const facts: CloudFacts = { ca: { certificate, cloudTime: now }, hubProblem: undefined, node: 'free' };
const node: JoiningNode = { nodeName: 'press-7', token, now, hasCertificate: false };
const later = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const unreachable = new OperatorError('HUB_UNREACHABLE', 'Cannot reach it', { hint: 'h' });

function failuresOf(findings: CloudFindings): readonly string[] {
  return Object.entries(findings).flatMap(([name, { verdict }]) => (verdict === 'fail' ? [name] : []));
}

test('a cloud that is as it should be passes every check', () => {
  expect(failuresOf(judgeCloud(facts, node))).toEqual([]);
});

test.each<[string, keyof CloudFindings, string, CloudFacts, Partial<JoiningNode>]>([
  ['a cloud out of reach', 'cloud', 'HUB_UNREACHABLE', { ...facts, ca: unreachable, node: 'unknown' }, {}],
  ['a hub out of reach', 'cloud', 'HUB_UNREACHABLE', { ...facts, hubProblem: unreachable }, {}],
  ['the token of another cloud', 'token', 'TOKEN_INVALID', facts, { token: { ...token, caHash: '00' } }],
  ['a token of yesterday', 'token', 'TOKEN_INVALID', facts, { token: { ...token, claims: { expiresAt: 1 } } }],
  ["another node's token", 'token', 'TOKEN_INVALID', facts, { token: { ...token, claims: { node: 'press-8' } } }],
  ['a clock ten minutes off', 'cloudClock', 'CLOCK_WRONG', facts, { now: later(10) }],
  ['a clock ten years off', 'cloudClock', 'CLOCK_WRONG', facts, { now: later(-10 * 365 * 24 * 60) }],
  ['a name in use', 'nameInCloud', 'NODE_NAME_TAKEN', { ...facts, node: 'taken' }, {}],
])('with %s, %s fails with %s', (_name, check, code, seen, changes) => {
  expect(judgeCloud(seen, { ...node, ...changes })[check]).toMatchObject({ verdict: 'fail', error: { code } });
});

test('a clock that is wrong is reported with both times', () => {
  const { cloudClock } = judgeCloud(facts, { ...node, now: later(60) });
  expect(cloudClock.reason).toContain(now.toISOString());
  expect(cloudClock.reason).toContain(later(60).toISOString());
});

test('by a wrong clock the certificate of the cloud looks expired, and only the clock is blamed', () => {
  const expired = new OperatorError('HUB_UNTRUSTED', 'Cannot trust it', { hint: 'h' });
  const findings = judgeCloud({ ...facts, node: expired }, { ...node, now: later(10 * 365 * 24 * 60) });
  expect(failuresOf(findings)).toEqual(['cloudClock']);
});

test("the token is judged by the cloud's clock", () => {
  const seen: CloudFacts = { ...facts, ca: { certificate, cloudTime: later(2) } };
  expect(judgeCloud(seen, node).token.verdict).toBe('fail');
});

test('a machine that lost its certificate gets an error with what the cloud would refuse, and which token helps', () => {
  const { nameInCloud } = judgeCloud({ ...facts, node: 'taken' }, node);
  expect(nameInCloud).toMatchObject({
    verdict: 'fail',
    reason: expect.stringContaining('does not have its certificate'),
    remedy: expect.stringContaining('keadm gettoken --node press-7'),
  });
});

test('a machine may come back under the name in its certificate', () => {
  const findings = judgeCloud({ ...facts, node: 'taken' }, { ...node, hasCertificate: true });
  expect(Object.values(findings).every(({ verdict }) => verdict === 'pass')).toBe(true);
});
