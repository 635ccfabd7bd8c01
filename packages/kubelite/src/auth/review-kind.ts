import type { JsonObject } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { AnswerContext, ResourceKind } from '../objects/resource-kind.ts';
import { timestamp } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';

/** A kind that is only ever asked and answered. */
export function reviewKind(
  group: string,
  kind: string,
  answer: (review: ObjectDraft, context: AnswerContext) => KubeObject | Promise<KubeObject>,
): ResourceKind {
  return defineKind({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: false,
    verbs: ['create'],
    answerCreate: answer,
  });
}

/** The review with its answer. It never becomes an object, so there is hardly any metadata. */
export function answered(review: ObjectDraft, status: JsonObject, { now }: AnswerContext): KubeObject {
  const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp: timestamp(now) };
  return { ...review, metadata: { ...metadata, ...review.metadata }, status };
}
