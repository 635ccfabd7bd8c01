import { parseBody, type StoreReader } from '../store/object-store.ts';
import type { KubeObject } from './kube-object.ts';
import { type ObjectReader, selectorOf } from './object-service.ts';
import { resourceName } from './resource-kind.ts';

/** Objects out of a store, or out of a write on its way. */
export function readerOf(store: StoreReader): ObjectReader {
  return {
    get: (resource, { namespace, name }) => store.get({ resource: resourceName(resource), namespace, name }),
    list(resource, filter = {}) {
      const selects = selectorOf(filter);
      const found: KubeObject[] = [];
      for (const body of store.page({
        resource: resourceName(resource),
        namespace: filter.namespace ?? '',
        limit: 0,
      })) {
        const object = parseBody(body);
        if (!selects || selects(object)) found.push(object);
      }
      return found;
    },
  };
}
