import { newMessage } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { apiServerCa } from './answers.ts';

const question = newMessage({ source: 'edged', group: 'meta', operation: 'query', resource: 'k8s/ca.crt' });

test("the answer is the PEM text of the API server's CA, under the name that was asked for", () => {
  expect(apiServerCa(question, { caCertificate: 'PEM' })).toMatchObject({
    header: { parentId: question.header.id },
    route: { source: 'cloudhub', group: 'resource', operation: 'response', resource: 'k8s/ca.crt' },
    content: 'PEM',
  });
});

test('an API server without its own CA gets an error that says so', () => {
  const { content } = apiServerCa(question, { caCertificate: undefined });
  expect(content).toMatchObject({ ErrStatus: { code: 404 } });
});
