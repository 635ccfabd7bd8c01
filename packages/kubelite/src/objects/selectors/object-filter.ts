import type { ObjectFilter } from '../object-service.ts';
import { parseFieldSelector, selectByFields } from './field-selector.ts';
import { parseLabelSelector, type Selects } from './label-selector.ts';

/** A test for a filter; undefined when it lets everything of its namespace through, so that nothing need be parsed. */
export function selectorOf(filter: ObjectFilter): Selects | undefined {
  const tests: Selects[] = [];
  if (filter.labelSelector) tests.push(parseLabelSelector(filter.labelSelector));
  if (filter.fieldSelector) tests.push(selectByFields(parseFieldSelector(filter.fieldSelector)));
  return tests.length === 0 ? undefined : (object) => tests.every((test) => test(object));
}

/** A test for a filter with its namespace. */
export function objectTestOf(filter: ObjectFilter): Selects {
  const selects = selectorOf(filter);
  const { namespace = '' } = filter;
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) && (selects === undefined || selects(object));
}
