import { matchesFields } from '@fenestra/contracts/objects';
import type { KubeObject } from './kube-object.ts';
import type { ObjectFilter } from './object-service.ts';

type Test = (object: KubeObject) => boolean;

/** A test for the selectors of a filter; undefined when there are none, so that nothing needs to be parsed. */
export function selectorOf({ labels, fields = [] }: ObjectFilter): Test | undefined {
  if (labels === undefined && fields.length === 0) return undefined;
  return (object) => (labels === undefined || labels(object)) && matchesFields(fields, object);
}

/** A test for a filter with its namespace. */
export function objectTestOf(filter: ObjectFilter): Test {
  const selects = selectorOf(filter);
  const { namespace = '' } = filter;
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) && (selects === undefined || selects(object));
}
