import { placeSteps, planWorkflow } from '@fenestra/kernel';
import { digestOfText, STEP_HANDLERS } from '@fenestra/steps';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinConfiguration } from './join-configuration.ts';
import type { JoinFacts } from './join-facts.ts';
import { testLayout as layout } from '../testing/test-layout.ts';
import { bare, host, joined, wishes } from './testing/facts.ts';
import { JOIN } from './workflow.ts';

const kinds = (facts: JoinFacts): readonly string[] =>
  placeSteps(planWorkflow(JOIN, facts)).map(({ step }) => step.kind);

test('join on a bare machine makes everything, from the folders to the proof', () => {
  expect(kinds(bare)).toEqual([
    'claim-node',
    'hold-name',
    'place-executable',
    'write-secret',
    'write-secret',
    'write-file',
    'install-service',
    'start-service',
    'prove-healthy',
  ]);
});

test('join on a node that works plans nothing, whatever version it runs', () => {
  expect(kinds(joined)).toEqual([]);
});

test.each<[string, Partial<JoinFacts>, readonly string[]]>([
  ['is stopped', { service: { state: 'stopped' }, healthy: false }, ['start-service', 'prove-healthy']],
  ['runs without its cloud', { healthy: false }, ['prove-healthy']],
  [
    'has lost its certificate, or has one that its cloud refuses',
    { healthy: false, tokenSha256: 'token-digest' },
    ['stop-service', 'write-secret', 'start-service', 'prove-healthy', 'remove-path'],
  ],
  [
    'has lost its service',
    { service: { state: 'absent' }, healthy: false },
    ['install-service', 'start-service', 'prove-healthy'],
  ],
  [
    'has lost its program',
    { installedSha256: undefined, service: { state: 'failed' }, healthy: false },
    ['stop-service', 'place-executable', 'write-file', 'start-service', 'prove-healthy'],
  ],
])('join on a node that %s plans only what is missing', (_name, changes, steps) => {
  expect(kinds({ ...joined, ...changes })).toEqual(steps);
});

test('join stops an agent that idles here before it changes it', () => {
  const idle: JoinFacts = { ...bare, service: { state: 'running', pid: 1 }, installedSha256: 'new' };
  expect(kinds(idle)).toEqual([
    'claim-node',
    'hold-name',
    'stop-service',
    'write-secret',
    'write-secret',
    'write-file',
    'install-service',
    'start-service',
    'prove-healthy',
  ]);
});

test('join gives up what it replaced only after the proof, and nothing else has no rollback', () => {
  const leftovers: JoinFacts = { ...bare, installedSha256: 'old', strangeConfigurationSha256: 'strange' };
  const steps = placeSteps(planWorkflow(JOIN, leftovers)).map(({ step }) => step);
  const final = steps.filter(({ pointOfNoReturn }) => pointOfNoReturn === true);
  expect(final.map(({ kind }) => kind)).toEqual(['remove-path', 'remove-path']);
  expect(steps.slice(-3).map(({ kind }) => kind)).toEqual(['prove-healthy', 'remove-path', 'remove-path']);
});

test('join leaves no copy of an old token behind, nor of an old version file', () => {
  const facts: JoinFacts = { ...bare, oldTokenSha256: 'a'.repeat(64), oldVersionSha256: 'b'.repeat(64) };
  const removed = placeSteps(planWorkflow(JOIN, facts)).flatMap(({ step }) =>
    step.kind === 'remove-path' ? [step] : [],
  );
  expect(removed.map(({ path }) => path)).toEqual([
    '/etc/kubeedge/previous-aaaaaaaaaaaa-bootstrap-edgecore.conf',
    '/etc/kubeedge/previous-bbbbbbbbbbbb-version.txt',
  ]);
  expect(kinds({ ...joined, oldTokenSha256: 'a', oldVersionSha256: 'b' })).toEqual([]);
});

test('a token that a node did not need in the end does not stay with it', () => {
  const facts: JoinFacts = { ...joined, healthy: false, tokenSha256: 'token-digest' };
  const last = placeSteps(planWorkflow(JOIN, facts)).at(-1)?.step;
  expect(last).toMatchObject({ kind: 'remove-path', path: layout.tokenFile });
});

test('every step of a join is one that recovery knows', () => {
  const facts: JoinFacts = { ...bare, programFolderMissing: true, installedSha256: 'old' };
  for (const kind of kinds(facts)) expect(STEP_HANDLERS.map((handler) => handler.kind)).toContain(kind);
});

test('no plan holds a token or a password, wherever they came from', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{24,60}$/);
  fc.assert(
    fc.property(secret, secret, (token, password) => {
      const assignments = [`modules.edgeHub.token=${token}`, `modules.eventBus.mqttPassword="${password}"`];
      const { text, token: found } = joinConfiguration({ ...wishes, assignments }, host, layout);
      expect(found).toBe(token);
      expect(text).not.toContain(token);
      const digests = { configurationSha256: digestOfText(text), tokenSha256: digestOfText(token) };
      const plan = JSON.stringify(planWorkflow(JOIN, { ...bare, ...digests }));
      expect(plan.includes(token) || plan.includes(password)).toBe(false);
    }),
    { numRuns: 30 },
  );
});
