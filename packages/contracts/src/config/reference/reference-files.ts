import { configPageText } from './config-page.ts';
import { DOCUMENTED_FILES } from './documented-file.ts';
import { jsonSchemaText } from './json-schema.ts';

/** The files of `docs/reference` that are made from the schemas, by name. */
export function configReferenceFiles(): ReadonlyMap<string, string> {
  const schemas = DOCUMENTED_FILES.map((file) => [`${file.name}.schema.json`, jsonSchemaText(file)] as const);
  return new Map([['config.md', configPageText()] as const, ...schemas]);
}
