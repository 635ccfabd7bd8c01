import { stringAt, type JsonObject } from '../objects/json.ts';
import type { User } from '../objects/gatekeeper.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { tokenUser, type GatekeeperOptions } from './gatekeeper.ts';
import { answered, reviewKind } from './review-kind.ts';
import { authenticated } from './users.ts';

const GROUP = 'authentication.k8s.io';

/** Who am I, and whom is this token for. */
export function identityReviewKinds(options: GatekeeperOptions): readonly ResourceKind[] {
  return [
    reviewKind(GROUP, 'SelfSubjectReview', (review, context) =>
      answered(review, { userInfo: userInfo(context.user) }, context),
    ),
    reviewKind(GROUP, 'TokenReview', async (review, context) => {
      const user = await tokenUser(stringAt(review, 'spec', 'token'), options);
      const status = user ? { authenticated: true, user: userInfo(authenticated(user)) } : { authenticated: false };
      // The token was a secret on its way in and has no place in an answer.
      return answered({ ...review, spec: {} }, status, context);
    }),
  ];
}

function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
}
