import { OperatorError } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';

/** A file store whose power fails at its nth operation, before or after it took effect; everything later fails too. */
export function failingStore(files: FileStore, at: number, moment: 'before' | 'after'): FileStore {
  let operations = 0;
  return new Proxy(files, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        operations += 1;
        if (operations > at || (operations === at && moment === 'before')) throw powerCut();
        const result: unknown = await Reflect.apply(method, target, args);
        if (operations === at) throw powerCut();
        return result;
      };
    },
  });
}

/** An operator error, because no one tries again after a power cut. */
function powerCut(): OperatorError {
  return new OperatorError('SYSTEM_CALL_FAILED', 'power cut', { hint: 'none' });
}
