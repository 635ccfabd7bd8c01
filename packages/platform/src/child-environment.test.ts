import { afterEach, expect, test, vi } from 'vitest';
import { childEnvironment } from './child-environment.ts';

afterEach(() => vi.unstubAllEnvs());

test.each(['PATH', 'HTTPS_PROXY', 'no_proxy', 'LC_ALL', 'SystemRoot', 'Processor_Level', 'KEADM_CA_FILE'])(
  'a program inherits %s',
  (name) => {
    vi.stubEnv(name, 'value');
    expect(childEnvironment()).toHaveProperty([name], 'value');
  },
);

test.each(['KEADM_TOKEN', 'KEADM_PASSPHRASE', 'NODE_OPTIONS', 'LD_PRELOAD', 'OPENSSL_CONF', 'AWS_SECRET', 'BASH_ENV'])(
  'a program does not inherit %s',
  (name) => {
    vi.stubEnv(name, 'value');
    expect(childEnvironment()).not.toHaveProperty([name]);
  },
);

test('a program gets what is added for it and what its kind inherits besides', () => {
  vi.stubEnv('SSH_AUTH_SOCK', '/run/agent');
  vi.stubEnv('LC_ALL', 'de_DE');
  expect(childEnvironment({ LC_ALL: 'C' }, /^SSH_/)).toMatchObject({ LC_ALL: 'C', SSH_AUTH_SOCK: '/run/agent' });
});
