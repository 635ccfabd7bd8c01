import type { KubeletArg } from '../kubelet-flags/kubelet-arg.ts';

/** The kubelet's extra arguments in one form, whichever the file's version has. */
export function extraArgsOf(
  written: Readonly<Record<string, string>> | readonly KubeletArg[] | undefined,
): readonly KubeletArg[] {
  if (written === undefined) return [];
  return isList(written) ? written : Object.entries(written).map(([name, value]) => ({ name, value }));
}

function isList(written: object): written is readonly KubeletArg[] {
  return Array.isArray(written);
}
