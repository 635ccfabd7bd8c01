import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { moreSpecific } from './remote-hosts.ts';

const refused = failure('REMOTE_AUTH', 'Cannot log in');

test('a machine that has refused us stays one, whatever happens by ssh then', () => {
  expect(moreSpecific(refused, failure('REMOTE_TIMEOUT', 'Cannot wait'), 'of keys')).toMatchObject({
    code: 'REMOTE_AUTH',
    message: "Cannot log in (tried as well by the system's ssh, because of keys: Cannot wait)",
  });
  expect(moreSpecific(refused, failure('REMOTE_AUTH', 'Denied'), 'of keys')).toMatchObject({
    code: 'REMOTE_AUTH',
    message: "Cannot log in (tried as well by the system's ssh, because of keys)",
  });
});

test('of other failures the later one is reported, unless there is no ssh', () => {
  const unreachable = failure('REMOTE_UNREACHABLE', 'Cannot reach');
  expect(moreSpecific(unreachable, refused, 'of a name')).toMatchObject({
    code: 'REMOTE_AUTH',
    message: "Cannot log in (tried by the system's ssh, because of a name)",
  });
  expect(moreSpecific(unreachable, failure('COMMAND_FAILED', 'Cannot run'), 'of a name')).toBe(unreachable);
});

function failure(code: OperatorError['code'], message: string): OperatorError {
  return new OperatorError(code, message, { hint: 'Fix it.' });
}
