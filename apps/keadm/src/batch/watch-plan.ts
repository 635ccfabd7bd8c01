import type { RunRecord, RunRecords } from '@fenestra/fleet';

/**
 * The records of a run; `tell` gets the names of its waves as soon as it is known which nodes have to be changed. A wave
 * of the file that none of them goes with is not among them.
 */
export function watchPlan(records: RunRecords, tell: (waves: readonly string[]) => void): RunRecords {
  const heed = (record: RunRecord): void => {
    if (record.type === 'planned') tell(record.waves.map(({ name }) => name));
  };
  for (const record of records.earlier) heed(record);
  return {
    earlier: records.earlier,
    log: (node, line) => records.log(node, line),
    async append(record) {
      await records.append(record);
      heed(record);
    },
  };
}
