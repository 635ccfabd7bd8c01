import { arrayAt } from '../objects/json.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { AGE, NAME, numberColumn } from '../printing/columns.ts';
import type { ServiceAccountTokens } from '../tokens/service-account-tokens.ts';
import { tokenSubresource } from '../tokens/token-request.ts';
import { defineKind } from './define-kind.ts';

/** Identities for pods. Tokens are made on demand and never stored. */
export function serviceAccountKind(tokens: ServiceAccountTokens): ResourceKind {
  return defineKind({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    subresources: [tokenSubresource(tokens)],
    columns: [NAME, numberColumn('Secrets', 'Number of secrets', (account) => arrayAt(account, 'secrets').length), AGE],
  });
}
