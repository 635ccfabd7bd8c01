import type { Phase } from '@fenestra/kernel';
import type { AddToSearchPath, EnableFeature, SetRegistryValue } from '@fenestra/steps';
import type { ProvisionFacts } from '../provision-facts.ts';
import { contentOf } from '../registry-settings.ts';

/** What of Windows itself has to be otherwise than it comes. */
export const setUpSystem: Phase<ProvisionFacts> = {
  id: 'set-up-system',
  title: 'Set Windows up for containers',
  plan: ({ features, registry, searchFolders }) => [
    ...features.map(({ feature, wasOn }): EnableFeature => ({ kind: 'enable-feature', feature, wasOn })),
    ...registry.map((setting): SetRegistryValue => {
      const { key, name } = setting;
      return { kind: 'set-registry-value', key, name, content: contentOf(setting) };
    }),
    ...searchFolders.map((folder): AddToSearchPath => ({ kind: 'add-to-search-path', folder })),
  ],
};
