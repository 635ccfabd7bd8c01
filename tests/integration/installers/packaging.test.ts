import { expect, test } from 'vitest';
import { debianScripts } from '../../../build/packaging/linux/debian-scripts.ts';
import { debianVersion } from '../../../build/packaging/linux/make-deb.ts';
import { type SetupScript, setupScript } from '../../../build/packaging/nsis/setup-script.ts';
import { numericVersion } from '../../../build/packaging/numeric-version.ts';
import { cycloneDx, type SbomPart } from '../../../build/packaging/sbom/cyclone-dx.ts';
import { packageFolderOf } from '../../../build/packaging/sbom/lock-file.ts';
import { stableUuid } from '../../../build/packaging/stable-uuid.ts';

const SCRIPT: SetupScript = {
  version: '1.2.3',
  quick: false,
  executable: 'keadm.exe',
  output: 'setup.exe',
  signCommand: undefined,
};

test('packageFolderOf finds the innermost package of a file, and none for our own', () => {
  expect(packageFolderOf('node_modules/@a/b/node_modules/c/x/y.js')).toBe('node_modules/@a/b/node_modules/c');
  expect(packageFolderOf('node_modules/@a/b/y.js')).toBe('node_modules/@a/b');
  expect(packageFolderOf('apps/keadm/node_modules/commander/index.js')).toBe('apps/keadm/node_modules/commander');
  expect(packageFolderOf('packages/kernel/src/index.ts')).toBeUndefined();
});

test('cycloneDx lists each part with its digest and license, in the same order always', () => {
  const subject = { version: '0.1.0', commit: 'abc', commitTime: '2026-01-01T00:00:00.000Z' };
  const parts = [part('zebra', 'MIT'), part('@a/ant', '(MIT OR Apache-2.0)')];
  const text = cycloneDx(subject, parts);
  expect(cycloneDx(subject, parts.toReversed())).toBe(text);
  const { components } = JSON.parse(text);
  expect(components).toMatchObject([
    { purl: 'pkg:npm/%40a/ant@1.0.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
    {
      purl: 'pkg:npm/zebra@1.0.0',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '010203' }],
      properties: [{ value: 'linux-x64 windows-x64' }],
    },
  ]);
});

test('stableUuid is a UUID, and another one for other words', () => {
  expect(stableUuid('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(stableUuid('a')).toBe(stableUuid('a'));
  expect(stableUuid('a', 'b')).not.toBe(stableUuid('ab'));
});

test('versions are spelt as each system orders them', () => {
  expect([debianVersion('1.2.3-rc.1'), debianVersion('1.2.3')]).toEqual(['1.2.3~rc.1', '1.2.3']);
  expect([numericVersion('1.2.3-rc.1'), numericVersion('1.2.3')]).toEqual(['1.2.3', '1.2.3']);
});

test('the scripts for dpkg act on installation and removal alone, through the program they have brought', () => {
  const { postinst, prerm } = debianScripts();
  expect(postinst).toContain(
    'if [ "$1" = configure ]; then\n  /usr/bin/keadm installer placed -- "CLOUDCORE_IP=${FENESTRA_CLOUDCORE_IP:-}"',
  );
  expect(prerm).toContain(
    'if [ "$1" = remove ]; then\n  /usr/bin/keadm installer leaving -- "RESET_NODE=${FENESTRA_RESET_NODE:-}"',
  );
});

test('the setup script takes the addon away from where the program has put it, not from where it is installed', () => {
  expect(setupScript(SCRIPT).match(/RMDir \/r .*/g)).toEqual(
    Array(2).fill('RMDir /r "$PROGRAMFILES64\\Fenestra\\native"'),
  );
});

test('the setup script leaves its folder before it takes that away', () => {
  const [, undoing = ''] = setupScript(SCRIPT).split('Function .onInstFailed');
  expect(undoing.indexOf('SetOutPath "$TEMP"')).toBeGreaterThan(0);
  expect(undoing.indexOf('SetOutPath "$TEMP"')).toBeLessThan(undoing.indexOf('RMDir "$INSTDIR"'));
});

test('the setup script is for a 64-bit stub, and signs its uninstaller only if it is configured', () => {
  expect(setupScript(SCRIPT)).toContain('Target amd64-unicode');
  expect(setupScript(SCRIPT)).not.toContain('!uninstfinalize');
  expect(setupScript({ ...SCRIPT, signCommand: 'sign "%1"' })).toContain(`!uninstfinalize 'sign "%1"' = 0`);
});

/** A library by its name. */
function part(name: string, license: string): SbomPart {
  return {
    kind: 'library',
    package: { name, version: '1.0.0', integrity: 'sha512-AQID', license },
    targets: ['linux-x64', 'windows-x64'],
  };
}
