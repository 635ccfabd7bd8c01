import { expect, test } from 'vitest';
import type { KubeObject } from '../kube-object.ts';
import { StatusError } from '../status-error.ts';
import { parseFieldSelector, requireSelectable, selectByFields } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

const object: KubeObject = {
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
])('the label selector %j selects it: %j', (text, expected) => {
  expect(parseLabelSelector(text)(object)).toBe(expected);
});

test.each(['app=web=x', 'in (a)', 'a in b', '=x', 'a=b,,c'])('the label selector %j is refused', (text) => {
  expect(() => parseLabelSelector(text)).toThrow(StatusError);
});

test.each([
  ['spec.nodeName=n1', true],
  ['spec.nodeName!=n1', false],
  ['metadata.name=web,metadata.namespace=default', true],
  ['status.phase=', true],
  ['status.phase=Running', false],
  ['spec.unschedulable=false', true],
])('the field selector %j selects it: %j', (text, expected) => {
  expect(selectByFields(parseFieldSelector(text))(object)).toBe(expected);
});

test('a field that is not selectable is refused', () => {
  expect(() => requireSelectable(parseFieldSelector('spec.x=1'), ['spec.nodeName'])).toThrow(
    'field label not supported: spec.x',
  );
});
