import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { type Entry, isList, isMapping } from '../../cloudbase/cloud-config/entry.ts';
import { found, type Finding } from '../finding.ts';

/** What an API takes as a value. */
export type FieldForm =
  | { readonly kind: 'text' | 'number' | 'switch' | 'mapping' }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, FieldForm>> }
  | { readonly kind: 'list'; readonly of: FieldForm; readonly title: string }
  /** A mapping of names of one's own. */
  | { readonly kind: 'names'; readonly of: FieldForm }
  /** A list in one version of the API, a mapping in another. */
  | { readonly kind: 'list-or-names'; readonly list: FieldForm; readonly names: FieldForm };

/** The fields below an entry that an API does not have. */
export function unknownFields(entry: Entry, form: FieldForm): readonly Finding[] {
  return fieldsBelow(entry, form).flatMap((field) =>
    field.form === undefined ? [unknownField(field.entry, field.known)] : [],
  );
}

/** The fields whose values have another form than the API takes. */
export function wrongForms(entry: Entry, form: FieldForm): readonly Finding[] {
  return fieldsBelow(entry, form).flatMap((field) =>
    field.form === undefined || hasForm(field.entry.value, field.form)
      ? []
      : [found('capi-field', field.entry, `${shownName(field.entry)} must be ${titleOf(field.form)}`)],
  );
}

/** A field that is not there, and what may have been meant. */
export function unknownField(entry: Entry, known: readonly string[]): Finding {
  const nearest = nearestKey(entry.key, known);
  const meant = nearest !== undefined && looksLike(entry.key, nearest) ? `; did you mean "${nearest}"?` : '';
  return found('capi-field', entry, `there is no field "${entry.key}"${meant}`);
}

interface Field {
  readonly entry: Entry;
  /** `undefined` if there is no such field. */
  readonly form: FieldForm | undefined;
  /** The fields there are in its place. */
  readonly known: readonly string[];
}

function fieldsBelow(entry: Entry, form: FieldForm, known: readonly string[] = []): readonly Field[] {
  return [{ entry, form, known }, ...entry.members.flatMap((member) => fieldsAt(member, form, entry.value))];
}

/** What is in a value of another form is not looked at. */
function fieldsAt(member: Entry, form: FieldForm, whole: unknown): readonly Field[] {
  if (!hasForm(whole, form)) return [];
  switch (form.kind) {
    case 'fields': {
      const known = Object.keys(form.fields);
      const inner = known.includes(member.key) ? form.fields[member.key] : undefined;
      return inner === undefined ? [{ entry: member, form: inner, known }] : fieldsBelow(member, inner, known);
    }
    case 'list':
    case 'names':
      return fieldsBelow(member, form.of);
    case 'list-or-names':
      return fieldsAt(member, isList(whole) ? form.list : form.names, whole);
    case 'text':
    case 'number':
    case 'switch':
    case 'mapping':
      return [];
  }
}

/** A field without a value counts as one that is not there. */
function hasForm(value: unknown, form: FieldForm): boolean {
  if (value === null || value === undefined) return true;
  switch (form.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'switch':
      return typeof value === 'boolean';
    case 'list':
      return isList(value);
    case 'list-or-names':
      return isList(value) || isMapping(value);
    case 'mapping':
    case 'fields':
    case 'names':
      return isMapping(value);
  }
}

function titleOf(form: FieldForm): string {
  switch (form.kind) {
    case 'text':
      return 'a text; put it in quotes';
    case 'number':
      return 'a number';
    case 'switch':
      return 'true or false';
    case 'list':
      return `a list of ${form.title}`;
    case 'list-or-names':
      return 'a mapping, or a list of names and values';
    case 'mapping':
    case 'fields':
    case 'names':
      return 'a mapping';
  }
}

function shownName({ key }: Entry): string {
  return key === '' ? 'it' : `"${key}"`;
}
