import { stringAt } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { isManifestName, type Manifest, type ManifestFile, takeManifests } from './manifests.ts';

const FOLDER = '/etc/kubeedge/manifests';
const WEB = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: main
      image: web:1
`;

const fileOf = (name: string, text: string): ManifestFile => ({ file: `${FOLDER}/${name}`, text });
const take = (files: readonly ManifestFile[], known: readonly Manifest[] = [], now = 1000) =>
  takeManifests(known, files, { nodeName: 'edge-1', now });
const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ pod }) => stringAt(pod, 'metadata', 'name'));

test('YAML and JSON define pods, one for each file', () => {
  const json = JSON.stringify({
    kind: 'Pod',
    metadata: { name: 'db' },
    spec: { containers: [{ name: 'a', image: 'b' }] },
  });
  const { manifests, problems } = take([fileOf('web.yaml', WEB), fileOf('db.json', json.replaceAll(',', ',\n\t'))]);
  expect(namesOf(manifests)).toEqual(['db-edge-1', 'web-edge-1']);
  expect(problems).toEqual([]);
});

test.each([
  ['', 1, 'the file does not hold a pod'],
  [WEB.replace('image:', 'image'), 8, 'it misses a closing quote or bracket, or a colon or comma'],
  [WEB.replace('name: web', '\tname: web'), 4, 'it is indented with a tab; use spaces'],
  [`${WEB}---\n${WEB}`, 9, 'it starts a second document; the file can hold only one'],
  [WEB.replace('kind: Pod', 'kind: Deployment'), 2, 'kind: the kind is not "Pod"'],
  [WEB.replace('web:1', '[1]'), 8, 'spec.containers[0].image: must be a text'],
  [`${WEB}  serviceAccountName: admin\n`, 6, 'spec: a static pod cannot refer to the ServiceAccount "admin"'],
  [
    `${WEB}  terminationGracePeriodSeconds: 010\n`,
    9,
    'it has a number that begins with 0: write it as decimal, or in quotes if it is a text',
  ],
  ['a: &a [*a]', 1, 'it uses an anchor too often, or within itself'],
])('%j is refused with line %i', (text, line, reason) => {
  expect(take([fileOf('web.yaml', text)])).toEqual({
    manifests: [],
    problems: [{ file: `${FOLDER}/web.yaml`, line, reason }],
  });
});

test.each<[string, ManifestFile]>([
  ['broken', fileOf('web.yaml', 'a: [')],
  ['not readable', { file: `${FOLDER}/web.yaml`, problem: 'others can write to it' }],
  ['still being written', { file: `${FOLDER}/web.yaml` }],
])('a file that is %s keeps the pod that it defined before, and other files count', (_, broken) => {
  const { manifests } = take([fileOf('web.yaml', WEB)]);
  const db = fileOf('db.yaml', WEB.replace('name: web', 'name: db'));
  const after = take([broken, db], manifests);
  expect(namesOf(after.manifests)).toEqual(['db-edge-1', 'web-edge-1']);
  expect(after.manifests[1]).toBe(manifests[0]);
});

test('an unchanged file keeps its pod, a changed one gets another, and one that is gone has none', () => {
  const { manifests } = take([fileOf('web.yaml', WEB)]);
  expect(take([fileOf('web.yaml', `# note\n${WEB}`)], manifests, 2000).manifests[0]).toBe(manifests[0]);
  const [changed] = take([fileOf('web.yaml', WEB.replace('web:1', 'web:2'))], manifests, 2000).manifests;
  expect(stringAt(changed?.pod, 'metadata', 'uid')).not.toBe(stringAt(manifests[0]?.pod, 'metadata', 'uid'));
  expect(take([], manifests).manifests).toEqual([]);
});

test('of two files with the same pod the one that was there first counts', () => {
  const { manifests } = take([fileOf('web.yaml', WEB)]);
  const after = take([fileOf('copy.yaml', WEB), fileOf('web.yaml', WEB)], manifests);
  expect(after.manifests).toEqual(manifests);
  expect(after.problems).toEqual([
    { file: `${FOLDER}/copy.yaml`, reason: `"${FOLDER}/web.yaml" already defines the pod "default/web-edge-1"` },
  ]);
});

test.each([
  ['web.yaml', true],
  ['Web.YML', true],
  ['db.json', true],
  ['.web.yaml.swp', false],
  ['.web.yaml', false],
  ['web.yaml~', false],
  ['web.yaml.tmp', false],
  ['#web.yaml#', false],
  ['4913', false],
])('the name %s is that of a manifest: %s', (name, expected) => {
  expect(isManifestName(name)).toBe(expected);
});
