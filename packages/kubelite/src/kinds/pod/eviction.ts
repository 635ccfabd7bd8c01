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
    await context.objects.delete(
      kind,
      { namespace, name },
      {
        user: context.user,
        dryRun: context.dryRun,
        ...(typeof grace === 'number' && { graceSeconds: grace }),
      },
    );
    return { status: 201, body: successStatus() };
  },
};
