/** What has to be so for nodes to be served, by name; the value says whether it is. */
export type Conditions = Readonly<Record<string, () => boolean>>;

/** Whether everything is as it should be, and if not, what is not. */
export function readiness(conditions: Conditions): { readonly ready: boolean; readonly report: string } {
  const lines = Object.entries(conditions).map(([name, holds]) => `${holds() ? '[+]' : '[-]'}${name}`);
  const ready = Object.values(conditions).every((holds) => holds());
  return { ready, report: `${[...lines, ready ? 'ready' : 'not ready'].join('\n')}\n` };
}
