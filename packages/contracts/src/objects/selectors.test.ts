import { expect, test } from 'vitest';
import * as selectors from './selectors.ts';

const { matchesFields, requiredValue } = selectors;

class Refused extends Error {}

const refuse = (reason: string) => new Refused(reason);
const parseLabelSelector = (text: string) => selectors.parseLabelSelector(text, refuse);
const parseFieldSelector = (text: string) => selectors.parseFieldSelector(text, refuse);

const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'default',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '',
    labels: { app: 'web', 'example.com/tier': 'front', empty: '' },
  },
  spec: { nodeName: 'n1' },
};

test.each([
  ['', true],
  ['app=web', true],
  ['app == web , example.com/tier=front', true],
  ['app!=web', false],
  ['other!=web', true],
  ['app in (db, web)', true],
  ['app notin (db,web)', false],
  ['other notin (db)', true],
  ['app', true],
  ['!app', false],
  ['!other,app in (web),app=web', true],
  ['empty=', true],
  ['constructor', false],
  ['!constructor', true],
])('the label selector %j selects it: %j', (text, expected) => {
  expect(parseLabelSelector(text)(object)).toBe(expected);
});

test.each(['app=web=x', 'in (a)', 'a in b', '=x', 'a=b,,c'])('the label selector %j is refused', (text) => {
  expect(() => parseLabelSelector(text)).toThrow(Refused);
});

test.each([
  ['spec.nodeName=n1', true],
  ['spec.nodeName!=n1', false],
  ['metadata.name=web,metadata.namespace=default', true],
  ['status.phase=', true],
  ['status.phase=Running', false],
  ['spec.unschedulable=false', true],
])('the field selector %j selects it: %j', (text, expected) => {
  expect(matchesFields(parseFieldSelector(text), object)).toBe(expected);
});

test.each([
  [String.raw`metadata.name=a\,spec.nodeName=b`, undefined],
  [String.raw`metadata.name=a\,b`, [{ field: 'metadata.name', equal: true, value: 'a,b' }]],
  [String.raw`metadata.name=a\\,status.phase!=b`, 2],
  ['metadata.name=a\\', undefined],
  [String.raw`metadata.name=a\b`, undefined],
  ['metadata.name=a=b', undefined],
  ['metadata.name', undefined],
  ['=a', undefined],
  ['a!b=c', undefined],
])('the field selector %j is read as %j', (text, expected) => {
  if (expected === undefined) expect(() => parseFieldSelector(text)).toThrow(Refused);
  else if (typeof expected === 'number') expect(parseFieldSelector(text)).toHaveLength(expected);
  else expect(parseFieldSelector(text)).toEqual(expected);
});

test('a field has a required value only where a term asks for exactly this', () => {
  expect(requiredValue(parseFieldSelector('a=1,b!=2'), 'a')).toBe('1');
  expect(requiredValue(parseFieldSelector('a=1,b!=2'), 'b')).toBe('');
  expect(requiredValue(parseFieldSelector(String.raw`c=1\,a\=2`), 'a')).toBe('');
});

test('selectors of megabytes are read in time that grows with their length', () => {
  const started = performance.now();
  for (const part of [',', '(', ' ', 'a ', 'a,', 'a in (', String.raw`\,`, '=', 'a=']) {
    const text = part.repeat(1_000_000 / part.length);
    for (const parse of [parseLabelSelector, parseFieldSelector]) {
      try {
        parse(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Refused);
      }
    }
  }
  // The quadratic form of this took minutes for one of these texts.
  expect(performance.now() - started).toBeLessThan(20_000);
});
