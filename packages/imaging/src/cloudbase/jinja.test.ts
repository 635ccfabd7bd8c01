import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Rendering, renderTemplate } from './jinja.ts';
import { wholeFile } from './placed-text.ts';

const OLDEST = { version: '1.1.4', service: undefined } as const;
const render = (template: string): Rendering => renderTemplate(wholeFile(template), OLDEST);

/** Templates, and what Jinja 3.1.6 made of them with the settings and the variables of cloudbase-init; `null` where it failed. */
const CASES = z
  .array(z.tuple([z.string(), z.nullable(z.string())]))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/rendered.json'), 'utf8')));

test('templates become what Jinja makes of them, and fail where it fails', () => {
  const decided = CASES.map(([template, result]) => ({ template, result, rendering: render(template) })).filter(
    ({ rendering }) => !isUndecided(rendering),
  );
  expect(decided.length).toBeGreaterThan(280);
  for (const { template, result, rendering } of decided) {
    expect({ template, result: rendering.kind === 'rendered' ? rendering.result.text : null }).toEqual({
      template,
      result,
    });
  }
});

function isUndecided(rendering: Rendering): boolean {
  return (
    rendering.kind === 'rendered' &&
    rendering.nodes.some(
      ({ node }) => node.kind === 'statement' || (node.kind === 'expression' && node.expression.kind === 'other'),
    )
  );
}

test('every line of the result knows its line in the template', () => {
  const rendering = render('one\n{# a\ncomment #}\nfour {{ v1.local_hostname }}\n{% raw %}\nsix{% endraw %}\nseven\n');
  if (rendering.kind === 'failed') throw new Error(rendering.reason);
  const { text, lineAt } = rendering.result;
  const lines = text.split('\n').map((line, index) => [line, lineAt(index + 1)]);
  expect(lines).toEqual([
    ['one', 1],
    ['four win-node-0', 4],
    ['', 5],
    ['sixseven', 6],
  ]);
});

test('a mistake is reported with its line', () => {
  expect(render('one\ntwo\nif ($x) {# note\n')).toMatchObject({ kind: 'failed', line: 3 });
});

test('a member of what is not there fails, and a name that is not there does not', () => {
  expect(render('{{ nothing.at.all }}')).toMatchObject({ kind: 'failed' });
  expect(render('{{ local_hostname }}')).toMatchObject({ result: { text: 'CI_MISSING_JINJA_VAR/local_hostname' } });
});

test('line ends become LF, and the last one goes', () => {
  expect(render('a\r\nb\r\n')).toMatchObject({ result: { text: 'a\nb' } });
});
