import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

/** Lower layers know nothing of higher ones; packages in one layer do not know each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['kernel'],
  ['contracts', 'platform', 'kube-api'],
  ['releases', 'cri'],
  ['session'],
  ['steps', 'pods'],
  ['lifecycle', 'worker', 'fleet', 'imaging'],
  ['platform-linux', 'platform-windows', 'ssh', 'kubelite'],
  ['keadm', 'edgecore', 'cloudcore'],
  ['fenestra'],
];

const Dependencies = z.record(z.string(), z.string()).default({});
const Manifest = z.object({ name: z.string(), dependencies: Dependencies, devDependencies: Dependencies });

const manifests = globSync('{packages,apps}/*/package.json').map((file) => ({
  folder: dirname(file),
  ...Manifest.parse(JSON.parse(readFileSync(file, 'utf8'))),
}));

function layerOf(name: string): number {
  const layer = LAYERS.findIndex((names) => names.includes(name.replace('@fenestra/', '')));
  if (layer === -1) throw new Error(`"${name}" has no layer: add it to the list`);
  return layer;
}

test.each(manifests)('$name depends only on lower layers', ({ name, dependencies }) => {
  const own = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@fenestra/'));
  const upward = own.filter((dependency) => layerOf(dependency) >= layerOf(name));
  expect(upward).toEqual([]);
});

test.each(manifests)('$name lists the packages of ours that it imports', ({ folder, name, ...manifest }) => {
  const imported = globSync(`${folder}/src/**/*.ts`).flatMap((file) => {
    const forTests = /\.test\.ts$|\/testing\//.test(file);
    const listed = { [name]: '', ...manifest.dependencies, ...(forTests && manifest.devDependencies) };
    return importsOf(file).filter((dependency) => !Object.hasOwn(listed, dependency));
  });
  expect([...new Set(imported)]).toEqual([]);
});

test('what packages share for tests is imported by name, from their /testing exports', () => {
  const reaching = globSync('{packages,apps,e2e,bench,tests}/**/*.ts', { exclude: ['**/node_modules'] }).filter(
    (file) => {
      const outside = /from '(?:\.\.\/)+(?:(?:packages|apps)\/)?[\w-]+\/src\/[^']*\btesting\//;
      return outside.test(readFileSync(file, 'utf8'));
    },
  );
  expect(reaching).toEqual([]);
});

test('the architecture page lists every package, in the order of the layers', () => {
  const listed = packagesOnPage(readFileSync('docs/architecture.md', 'utf8'));
  expect(listed.toSorted()).toEqual(manifests.map(({ folder }) => folder).toSorted());
  const layers = listed.map((folder) => layerOf(basename(folder)));
  expect(layers).toEqual(layers.toSorted((a, b) => a - b));
});

test('nothing asks which system it is on: the build picks the adapters', () => {
  const asking = globSync('{packages,apps}/*/src/**/*.ts').filter((file) =>
    /process\.platform|\bplatform\(\)|import \{[^}]*\bplatform\b[^}]*\} from 'node:os'/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(asking).toEqual([]);
});

test('the small form of zod alone is in the programs: one import of the large one makes every command slower to start', () => {
  const importing = globSync('{packages,apps}/*/src/**/*.ts')
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    .filter((file) => /from 'zod'/.test(readFileSync(file, 'utf8')));
  expect(importing).toEqual([]);
});

test('nothing but the file adapters deletes folders with all that is in them', () => {
  const deleting = globSync('{packages,apps}/*/src/**/*.ts')
    .filter((file) => !/\.test\.ts$|\/testing\/|\/contract\//.test(file))
    .filter((file) => /\brm(Sync)?\([^;]*recursive: true/.test(readFileSync(file, 'utf8')));
  expect(deleting.filter((file) => !/platform-(linux|windows)\/src\/(files|pods)\//.test(file))).toEqual([]);
});

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(@fenestra\/[\w-]+)/g)].flatMap(
    ([, name]) => name ?? [],
  );
}

/** The folders of the page's list: names that are indented below `packages/` and `apps/`. */
function packagesOnPage(page: string): string[] {
  let parent = '';
  return page.split('\n').flatMap((line) => {
    const [, indent, name] = /^( *)([\w-]+)\/(?:$| {2})/.exec(line) ?? [];
    if (indent === '' && name !== undefined) parent = name;
    return indent === '  ' && name !== undefined ? [`${parent}/${name}`] : [];
  });
}
