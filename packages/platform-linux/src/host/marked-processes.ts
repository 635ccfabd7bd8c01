import { readdir, readFile } from 'node:fs/promises';

/** The processes that were started with this variable in their environment, however far from whoever set it. */
export async function markedProcesses(variable: string, value: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => carriesMark(pid, `${variable}=${value}`)));
  return pids.filter((_, index) => marked[index] === true).map(Number);
}

async function carriesMark(pid: string, mark: string): Promise<boolean> {
  // A process of another account cannot be read, and cannot be ours; one that has ended has no environment.
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}
