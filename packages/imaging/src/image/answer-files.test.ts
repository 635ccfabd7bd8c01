import { expect, test } from 'vitest';
import { filledIn } from './testing/filled-in.ts';
import { answerFiles } from './answer-files.ts';

/** In which passes of an installation Windows looks for a component. */
const PASSES: Readonly<Record<string, readonly string[]>> = {
  'Microsoft-Windows-International-Core-WinPE': ['windowsPE'],
  'Microsoft-Windows-Setup': ['windowsPE'],
  'Microsoft-Windows-Shell-Setup': ['specialize', 'oobeSystem'],
};

const template =
  answerFiles({ system: '2022', platform: 'qemu', role: 'worker', communicator: 'winrm' }, '')[0]?.text ?? '';

/** The tags of a text that are open at its end, the outermost first. Throws at one that closes another. */
function openTags(xml: string): readonly string[] {
  return [...xml.matchAll(/<(\/?)([\w:]+)[^>]*>/g)].reduce<readonly string[]>((open, [, slash, name = '']) => {
    if (slash === '') return [...open, name];
    if (open.at(-1) !== name) throw new Error(`</${name}> closes <${open.at(-1)}>`);
    return open.slice(0, -1);
  }, []);
}

test.each([{}, { product_key: 'AAAAA-BBBBB' }])('the answer file is XML, with %j as without', (values) => {
  const xml = filledIn(template, values);
  expect(openTags(xml)).toEqual([]);
  expect(xml.includes('<ProductKey>')).toBe('product_key' in values);
});

test('every component of the answer file is in a pass that knows it', () => {
  for (const [, pass = '', content = ''] of template.matchAll(/<settings pass="(\w+)">([^]*?)<\/settings>/g))
    for (const [, component = ''] of content.matchAll(/<component name="([^"]+)"/g))
      expect(PASSES[component]).toContain(pass);
});
