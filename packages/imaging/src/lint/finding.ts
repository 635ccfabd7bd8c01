import type { Entry } from '../cloudbase/cloud-config/entry.ts';
import type { MetadataService } from '../cloudbase/service.ts';
import type { CloudbaseVersion } from '../cloudbase/version.ts';
import { type RuleId, RULES, type Severity } from './rules.ts';

/** Which cloudbase-init will read the document, and how the document gets there. */
export interface LintContext {
  readonly version: CloudbaseVersion;
  /** `undefined` if it may be any. */
  readonly service: MetadataService | undefined;
}

/** The same for a KubeadmConfig. */
export interface KubeadmConfigContext extends LintContext {
  /** Whether AWS' provider would wrap the document: nothing in the file says otherwise. */
  readonly wrapped: boolean;
}

/** Where a cloud-config stands. */
export interface ConfigPlace {
  readonly line: number;
  /** Whether it is a part of a MIME message, which stops where a reboot is asked for. */
  readonly inPart: boolean;
}

/** One thing that lint has to say. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** The line of the file, from 1. */
  readonly line: number;
  /** The key it is about, dotted; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Where something was found. */
export interface Place {
  readonly line: number;
  readonly path?: string;
}

/** A finding of a rule, as serious as the rule says unless this case is another. */
export function found(rule: RuleId, { line, path = '' }: Place, message: string, severity?: Severity): Finding {
  return { rule, severity: severity ?? RULES[rule].severity, line, path, message };
}

/** What the machine will do with one key or part. */
export interface Outcome {
  readonly line: number;
  /** The key, the part or the document. */
  readonly subject: string;
  readonly fate: 'done' | 'partly' | 'dropped' | 'fails';
  /** Completes "…: ". */
  readonly effect: string;
}

/** What a check has to say. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly outcomes: readonly Outcome[];
}

/** Several verdicts as one. */
export function together(...verdicts: readonly Verdict[]): Verdict {
  return {
    findings: verdicts.flatMap(({ findings }) => findings),
    outcomes: verdicts.flatMap(({ outcomes }) => outcomes),
  };
}

/** A key that fails because its value has another type. */
export function wrongType({ key, line, path }: Entry, wanted: string): Verdict {
  return {
    findings: [found('value-type', { line, path }, `"${key}" must be ${wanted}`)],
    outcomes: [{ line, subject: key, fate: 'fails', effect: `fails: it must be ${wanted}` }],
  };
}

/** Findings for the keys of a mapping that have no effect. */
export function unusedKeys({ members }: Entry, used: readonly string[], rule: RuleId): readonly Finding[] {
  return members
    .filter(({ key }) => !used.includes(key))
    .map(({ key, line, path }) => found(rule, { line, path }, `"${key}" does nothing`));
}
