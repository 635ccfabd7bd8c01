import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { environmentInMemory, keadmInMemory } from '../testing/keadm-in-memory.ts';
import { examplesOf } from './examples.ts';
import { buildProgram } from './program.ts';
import { visibleCommands } from './reference.ts';
import { commandPath } from './report-error.ts';

const environment = environmentInMemory({ out: () => {}, err: () => {} });
const program = await makeProgram();
const paths = visibleCommands(program).map(commandPath);
const examples = paths.flatMap((path) => examplesOf(path).map(({ line }) => [path, line] as const));

async function makeProgram(): Promise<Command> {
  return buildProgram([], environment, { deliver: () => {}, writeHelp: () => {} });
}

test('every command has one or two examples', () => {
  expect(paths.filter((path) => ![1, 2].includes(examplesOf(path).length))).toEqual([]);
});

test.each(examples)('%s: the example "%s" is accepted by the parser', async (_path, line) => {
  const ran: string[] = [];
  const parser = await makeProgram();
  for (const command of visibleCommands(parser)) command.action(() => void ran.push(commandPath(command)));
  const typed = /keadm ([^|)]*)/.exec(line)?.[1]?.trim().split(' ') ?? [];
  await parser.parseAsync(typed, { from: 'user' });
  expect(ran).toHaveLength(1);
});

test('the examples stand at the end of the help', async () => {
  const { out } = await keadmInMemory('kube', 'status', '--help');
  expect(out).toContain('\nExamples:\n  # Show the status of the worker; exits 0 if healthy\n  keadm kube status\n');
});

test('a flag that takes a duration says so and shows its default with the unit', () => {
  const flags = visibleCommands(program).flatMap(({ options }) =>
    options.filter(({ flags: text }) => text.includes('<duration>')),
  );
  expect(flags.length).toBeGreaterThan(10);
  for (const { description, defaultValueDescription } of flags) {
    expect(description).toContain('such as 90s or 1m30s');
    expect(defaultValueDescription ?? description).toMatch(/\d+[smh]/);
  }
});
