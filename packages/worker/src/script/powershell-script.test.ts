import { expect, test } from 'vitest';
import { powershellScript } from './prepare-script.ts';
import { powershellMistakes } from './testing/powershell-grammar.ts';

const sha256 = 'ab'.repeat(32);
const script = (...words: readonly string[]) =>
  powershellScript({ source: 'https://releases.example/keadm.exe', sha256, words: ['kube', 'prepare', ...words] });

/** Words that would be something else to a careless script. */
const AWKWARD = [
  ['--from', String.raw`C:\Program Files\k\ `],
  ['--from', "it's here"],
  ['--from', 'typographer’s ‘quotes’'],
  ['--from', '$(Remove-Item C:\\ -Recurse)`n"'],
  ['--from', "'; exit 0; '"],
  ['--from', 'größe\nzwei'],
  ['--from', ''],
];

test('the script is PowerShell, whatever the words are', async () => {
  const scripts = [script(), ...AWKWARD.map((words) => script(...words))];
  expect(await powershellMistakes(...scripts)).toEqual(scripts.map(() => []));
});

test('the same check refuses a script that is broken', async () => {
  const whole = script('--version', 'v1.33.1');
  const broken = [
    whole.replace('} catch {', 'catch {'),
    whole.replace("'Stop'", "'Stop"),
    whole.replace('if ($source -match', 'if $source -match'),
    whole.slice(0, whole.indexOf('} finally')),
  ];
  for (const lines of await powershellMistakes(...broken)) expect(lines.length).toBeGreaterThan(0);
});

test('the script is plain ASCII, so that no code page spoils it', () => {
  for (const words of AWKWARD) expect(script(...words)).toMatch(/^[\n\x20-\x7e]*$/);
});

test('the script verifies keadm before it runs it, and passes on its exit code', () => {
  const text = script();
  const places = [
    'Invoke-WebRequest',
    'Get-FileHash',
    `$found -ne $sha256`,
    '[Diagnostics.Process]::Start',
    '$process.ExitCode',
    'exit $code',
  ];
  expect(places.map((place) => text.indexOf(place))).toEqual(
    places.map((place) => text.indexOf(place)).toSorted((a, b) => a - b),
  );
  expect(text).toContain(`$sha256 = '${sha256}'`);
});
