import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { neededImages } from './needed-images.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const web = { id: 'sha256:1', names: ['docker.io/library/web:1', 'docker.io/library/web:latest'] };
const pinnedByDigest = { id: 'sha256:2', names: [`registry.test/app@${DIGEST}`] };
const unused = { id: 'sha256:3', names: ['registry.test/old:1'] };
const IMAGES = [web, pinnedByDigest, unused];

function neededBy(...images: readonly string[]): readonly string[] {
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  return [...neededImages(IMAGES, { references: [], pods: [samplePod({ containers })] })];
}

test.each([
  ['web', ['sha256:1']],
  ['docker.io/web:1', ['sha256:1']],
  ['web:2', []],
  [`registry.test/app:5@${DIGEST}`, ['sha256:2']],
  ['sha256:1', ['sha256:1']],
])('a pod with the image %s needs %j', (image, ids) => {
  expect(neededBy(image)).toEqual(ids);
});

test('images of init containers are needed as well', () => {
  const pod = samplePod({ initContainers: [{ name: 'first', image: 'registry.test/old:1' }] });
  expect([...neededImages(IMAGES, { references: [], pods: [pod] })]).toContain('sha256:3');
});

test('a reference of a container or sandbox is an id or a name', () => {
  const references = ['sha256:2', 'registry.test/old:1'];
  expect([...neededImages(IMAGES, { references, pods: [] })]).toEqual(['sha256:2', 'sha256:3']);
});
