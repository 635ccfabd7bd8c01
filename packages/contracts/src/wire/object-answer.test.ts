import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareFailureAnswer, failureAnswer, objectAnswer, readObjectAnswer } from './object-answer.ts';

const NODE = { metadata: { name: 'n1', uid: 'u' }, status: { phase: 'x' } };
const CONFLICT = { reason: 'Conflict', code: 409, message: 'the object has been modified' };

test('an object comes back from either form of answer', () => {
  expect(readObjectAnswer(objectAnswer(NODE))).toEqual({ outcome: 'object', object: NODE });
  expect(readObjectAnswer(NODE)).toEqual({ outcome: 'object', object: NODE });
});

test('a failure comes back from either form of answer, and always says "Failure"', () => {
  const failure = { outcome: 'failure', status: { ...CONFLICT, status: 'Failure' } };
  expect(readObjectAnswer(failureAnswer(CONFLICT))).toEqual(failure);
  expect(readObjectAnswer(bareFailureAnswer(CONFLICT))).toEqual(failure);
});

test('a good answer has "Err" null, since an agent takes anything else for a failure', () => {
  expect(objectAnswer(NODE)).toEqual({ Object: NODE, Err: null });
});

test.each([
  ['an error that upstream wrote as an empty object', { Object: NODE, Err: {} }],
  ['an empty object', { Object: { metadata: { creationTimestamp: null } }, Err: null }],
  ['no object', { Object: null, Err: null }],
  ['text', 'connection refused'],
  ['nothing', null],
])('%s is a failure', (_, content) => {
  expect(readObjectAnswer(content).outcome).toBe('failure');
});

test('readObjectAnswer never throws', () => {
  fc.assert(
    fc.property(fc.json(), (content) => {
      expect(readObjectAnswer(JSON.parse(content))).toBeDefined();
    }),
  );
});
