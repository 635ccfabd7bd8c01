import { type JsonObject, objectAt, objectsAt, sameJson, stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { GROUP_PREFIXES } from '../kinds/built-in-definitions.ts';
import { nameProblems } from '../kinds/names.ts';
import { forbiddenField, immutableField, invalidField, requiredField, unsupportedField } from '../kinds/problems.ts';
import { compileJsonPath } from '../printing/json-path.ts';
import { schemaOf } from './read-schema.ts';
import { schemaInspector, type SchemaInspector } from './schema-inspection.ts';

const SCOPES = ['Cluster', 'Namespaced'];
const VERSION = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Everything wrong with a CustomResourceDefinition. */
export function definitionProblems(definition: KubeObject, previous?: KubeObject): readonly FieldProblem[] {
  const spec = objectAt(definition, 'spec');
  return [
    ...nameMismatch(definition),
    ...groupProblems(stringAt(spec, 'group')),
    ...requiredNames(spec),
    ...(SCOPES.includes(stringAt(spec, 'scope'))
      ? []
      : [unsupportedField('spec.scope', stringAt(spec, 'scope'), SCOPES)]),
    ...(stringAt(spec, 'conversion', 'strategy') === 'None'
      ? []
      : [unsupportedField('spec.conversion.strategy', stringAt(spec, 'conversion', 'strategy'), ['None'])]),
    ...versionProblems(spec),
    ...changedSchemaProblems(definition, previous),
    ...(previous ? fixedProblems(spec, objectAt(previous, 'spec')) : []),
  ];
}

function nameMismatch({ metadata, spec }: KubeObject): readonly FieldProblem[] {
  const expected = `${stringAt(spec, 'names', 'plural')}.${stringAt(spec, 'group')}`;
  const why = 'must be spec.names.plural+"."+spec.group';
  return metadata.name === expected ? [] : [invalidField('metadata.name', metadata.name, why)];
}

function groupProblems(group: string): readonly FieldProblem[] {
  if (Object.hasOwn(GROUP_PREFIXES, group))
    return [forbiddenField('spec.group', 'this group is part of the API itself')];
  if (!group.includes('.')) return [invalidField('spec.group', group, 'should be a domain with at least one dot')];
  return nameProblems('spec.group', group, 'subdomain');
}

function requiredNames(spec: JsonObject): readonly FieldProblem[] {
  const names = ['plural', 'kind'].filter((name) => stringAt(spec, 'names', name) === '');
  return names.map((name) => requiredField(`spec.names.${name}`));
}

function versionProblems(spec: JsonObject): readonly FieldProblem[] {
  const versions = objectsAt(spec, 'versions');
  const stored = versions.filter((version) => version['storage'] === true);
  const one = 'must have exactly one version marked as storage version';
  return [
    ...(stored.length === 1
      ? []
      : [
          invalidField(
            'spec.versions',
            versions.map((version) => stringAt(version, 'name')),
            one,
          ),
        ]),
    ...versions.flatMap((version, index) => oneVersionProblems(version, `spec.versions[${index}]`)),
  ];
}

function oneVersionProblems(version: JsonObject, field: string): readonly FieldProblem[] {
  const name = stringAt(version, 'name');
  return [
    ...(VERSION.test(name) ? [] : [invalidField(`${field}.name`, name, 'a DNS-1035 label is needed')]),
    ...objectsAt(version, 'additionalPrinterColumns').flatMap((column, index) => {
      const path = stringAt(column, 'jsonPath');
      const at = `${field}.additionalPrinterColumns[${index}].jsonPath`;
      return compileJsonPath(path) ? [] : [invalidField(at, path, 'is not a simple JSONPath')];
    }),
  ];
}

/** A stored schema may be one that is refused now: its definition can still be changed elsewhere, and deleted. */
function changedSchemaProblems(definition: KubeObject, previous: KubeObject | undefined): readonly FieldProblem[] {
  if (definition.metadata.deletionTimestamp !== undefined) return [];
  const stored = new Map(
    objectsAt(previous, 'spec', 'versions').map((version) => [stringAt(version, 'name'), version]),
  );
  const isStored = (version: JsonObject) => {
    const before = stored.get(stringAt(version, 'name'));
    return before !== undefined && sameJson(before['schema'], version['schema']);
  };
  const versions = objectsAt(definition, 'spec', 'versions');
  if (versions.every(isStored)) return [];
  const inspector = schemaInspector();
  // All versions share the limits of a definition, and what is new exceeds them.
  for (const version of versions.filter(isStored)) inspector.faultOf(schemaOf(version));
  return versions.flatMap((version, index) =>
    isStored(version) ? [] : schemaProblems(version, `spec.versions[${index}].schema.openAPIV3Schema`, inspector),
  );
}

function schemaProblems(version: JsonObject, field: string, inspector: SchemaInspector): readonly FieldProblem[] {
  if (valueAt(version, 'schema', 'openAPIV3Schema') === undefined) {
    return [requiredField(field, 'schemas are required')];
  }
  const schema = schemaOf(version);
  if (schema['type'] !== 'object') return [requiredField(`${field}.type`, 'must be "object" at the root')];
  const fault = inspector.faultOf(schema);
  return fault === undefined ? [] : [invalidField(field, '<schema>', fault)];
}

function fixedProblems(spec: JsonObject, stored: JsonObject): readonly FieldProblem[] {
  return [
    ...immutableField('spec.group', spec['group'], stored['group']),
    ...immutableField('spec.scope', spec['scope'], stored['scope']),
    ...immutableField('spec.names.plural', valueAt(spec, 'names', 'plural'), valueAt(stored, 'names', 'plural')),
    ...immutableField('spec.names.kind', valueAt(spec, 'names', 'kind'), valueAt(stored, 'names', 'kind')),
  ];
}
