import type { Taint } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
const TAINT = /^([a-zA-Z0-9](?:[-a-zA-Z0-9_./]*[a-zA-Z0-9])?)(?:=([-a-zA-Z0-9_.]*))?:([A-Za-z]+)$/;

/** Taints as Kubernetes writes them: `key=value:Effect`, or without a value. */
export function toTaints(texts: readonly string[]): readonly Taint[] {
  return texts.map(toTaint);
}

function toTaint(text: string): Taint {
  const [, key, value, effectText] = TAINT.exec(text) ?? [];
  const effect = EFFECTS.find((known) => known === effectText);
  if (key !== undefined && effect !== undefined) return { key, value, effect };
  throw new OperatorError('USAGE', `Cannot use "${text}" as a taint`, {
    hint: `Give taints like "os=windows:NoSchedule"; the effects are ${EFFECTS.join(', ')}.`,
  });
}
