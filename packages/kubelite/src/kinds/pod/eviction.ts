import { valueAt } from '../../objects/json.ts';
import type { Subresource } from '../../objects/resource-kind.ts';
import { successStatus } from '../success-status.ts';

/** `pods/eviction`: a deletion that a disruption budget could refuse; there are none here, so it never is. */
export const evictionSubresource: Subresource = {
  name: 'eviction',
  kind: 'Eviction',
  group: 'policy',
  version: 'v1',
  verbs: ['create'],
  async handle({ kind, namespace, name, body, context }) {
    const grace = valueAt(body, 'deleteOptions', 'gracePeriodSeconds');
    const uid = valueAt(body, 'deleteOptions', 'preconditions', 'uid');
    await context.objects.delete(
      kind,
      { namespace, name },
      {
        user: context.user,
        dryRun: context.dryRun,
        ...(typeof grace === 'number' && { graceSeconds: grace }),
        ...(typeof uid === 'string' && { preconditions: { uid } }),
      },
    );
    return { status: 201, body: successStatus() };
  },
};
