import { commandText, escapeMarkup } from './texts.ts';
import type { NodeAccount } from './node-account.ts';
import { isSettled, standingOf } from './node-states.ts';
import { secondsOf } from './report.ts';
import type { RunAccount } from './run-account.ts';

/** Where nodes belong that came until they end before the waves. */
const NO_WAVE = 'survey';

/** A run as JUnit XML, which most build servers show: a suite per wave, a case per node. */
export function junitReport(account: RunAccount): string {
  const nodes = [...account.nodes.values()];
  const suites = Map.groupBy(nodes, ({ wave }) => wave ?? NO_WAVE);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name: `keadm batch ${account.run}`, ...totals(nodes) })}>`,
    ...[...suites].flatMap(([wave, members]) => suiteLines(account, wave, members)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ file }: RunAccount, wave: string, nodes: readonly NodeAccount[]): readonly string[] {
  return [
    `  <testsuite ${attributes({ name: wave, ...totals(nodes) })}>`,
    ...propertyLines({ 'batch-file': file }, '    '),
    ...nodes.flatMap((node) => caseLines(wave, node)),
    '  </testsuite>',
  ];
}

function caseLines(wave: string, node: NodeAccount): readonly string[] {
  const head = `    <testcase ${attributes({ classname: wave, name: node.name, time: secondsOf(node).toFixed(3) })}`;
  const inside = [...nodeProperties(node), ...verdict(node), ...output(node)];
  return inside.length === 0 ? [`${head}/>`] : [`${head}>`, ...inside, '    </testcase>'];
}

function nodeProperties({ command, versions }: NodeAccount): readonly string[] {
  const properties = {
    command: command === undefined ? undefined : commandText(command),
    'version-before': versions.before,
    'version-after': versions.after,
  };
  return propertyLines(properties, '      ');
}

function propertyLines(properties: Readonly<Record<string, string | undefined>>, indent: string): readonly string[] {
  const known = Object.entries(properties).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  if (known.length === 0) return [];
  const lines = known.map((property) => `${indent}  <property ${attributes(property)}/>`);
  return [`${indent}<properties>`, ...lines, `${indent}</properties>`];
}

function verdict({ state, failure, text }: NodeAccount): readonly string[] {
  if (standingOf(state) === 'well') return [];
  if (standingOf(state) !== 'wrong') return [`      <skipped ${attributes({ message: text ?? state })}/>`];
  const { code = state, message = state, hint = '' } = failure ?? {};
  return [`      <failure ${attributes({ type: code, message })}>${escapeMarkup(`${state}. ${hint}`)}</failure>`];
}

function output({ state, lines }: NodeAccount): readonly string[] {
  if (standingOf(state) !== 'wrong' || lines.length === 0) return [];
  return [`      <system-out>${escapeMarkup(lines.join('\n'))}</system-out>`];
}

function totals(nodes: readonly NodeAccount[]): Readonly<Record<string, string>> {
  const count = (fits: (node: NodeAccount) => boolean): string => String(nodes.filter(fits).length);
  return {
    tests: String(nodes.length),
    failures: count(({ state }) => standingOf(state) === 'wrong'),
    skipped: count(({ state }) => !isSettled(state) || state === 'held'),
    time: nodes.reduce((sum, node) => sum + secondsOf(node), 0).toFixed(3),
  };
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeMarkup(value)}"`)
    .join(' ');
}
