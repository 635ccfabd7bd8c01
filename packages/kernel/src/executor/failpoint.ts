import type { ExecutionEvent } from './drive.ts';

/** Set only by tests: the process kills itself when this many records are on disk, as a power cut would. */
const VARIABLE = 'FENESTRA_KILL_AFTER_RECORD';

/** An observer that ends the process without any farewell at the record the environment names, if it names one. */
export function failpoint(environment: NodeJS.ProcessEnv): (event: ExecutionEvent) => void {
  const wanted = Number(environment[VARIABLE] ?? Number.NaN);
  let records = 0;
  return ({ type }) => {
    if (!isRecord(type)) return;
    records += 1;
    if (records === wanted) process.kill(process.pid, 'SIGKILL');
  };
}

const FOR_PEOPLE: readonly ExecutionEvent['type'][] = ['run-found', 'journal-set-aside', 'step-progress', 'step-note'];

/** Whether the event is on disk. */
function isRecord(type: ExecutionEvent['type']): boolean {
  return !FOR_PEOPLE.includes(type);
}
