import { BEGIN_MARK, quote } from './bootstrap.ts';

/** Has what a run left running stopped by the program, and removes the run's folder once nothing runs there any more. */
export function tidyScript(runFolder: string, program: string): string {
  return `
run=${quote(runFolder)}
program=${quote(program)}
echo ${BEGIN_MARK}
for job in "$run"/work "$run"/work-* "$run/undo"; do
  if [ -f "$job/job.json" ] && [ ! -f "$job/exit.json" ] && [ -x "$program" ]; then
    "$program" far-end stop "$job" || exit 1
  fi
done
rm -rf "$run"
`;
}
