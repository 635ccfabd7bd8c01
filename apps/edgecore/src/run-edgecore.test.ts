import { expect, test } from 'vitest';
import { readFlags } from './run-edgecore.ts';

test("upstream's flags are understood in Go's spellings", () => {
  expect(readFlags(['--config', '/etc/e.yaml', '-v=4'])).toMatchObject({
    action: 'run',
    configFile: '/etc/e.yaml',
    verbosity: 4,
  });
  expect(readFlags(['--config=/etc/e.yaml', '--v=2']).verbosity).toBe(2);
  expect(readFlags(['--log-file', 'C:\\log']).logFile).toBe('C:\\log');
  expect(readFlags(['--defaultconfig']).action).toBe('default-config');
  expect(readFlags(['--minconfig']).action).toBe('minimal-config');
  expect(readFlags(['--version=raw']).action).toBe('version');
});

test('the service is called edgecore unless it is said otherwise', () => {
  expect(readFlags(['--state-folder', '/s']).service).toBe('edgecore');
  expect(readFlags(['--state-folder', '/s', '--service', 'other']).service).toBe('other');
});

test.each([['--nonsense'], ['-v', 'loud'], ['stray'], ['--config']])('%j is a usage error', (...args) => {
  expect(() => readFlags(args)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
