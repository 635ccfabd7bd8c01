import { expect, test } from 'vitest';
import { parseBatch } from '../load-batch.ts';
import { importedText, importInventory, type InventoryFormat } from './import-inventory.ts';

const K0SCTL = `apiVersion: k0sctl.k0sproject.io/v1beta1
kind: Cluster
spec: { hosts: [{ hostname: shop 1, ssh: { address: 192.0.2.1, user: u } }] }
`;

test.each<[InventoryFormat, string]>([
  ['csv', 'name,ip,user,group\nshop 1,192.0.2.1,root,"shops,7"\n'],
  ['ansible', '[shops]\nshop[1:2] ansible_user=u\n[7:children]\nshops\n'],
  ['k0sctl', K0SCTL],
])('what is imported from %s is a batch file that can be read', async (format, inventory) => {
  const text = importedText(importInventory(format, inventory, 'inventory'), 'reset --force');
  const batch = await parseBatch({ text, path: 'batch.yaml', readableByOthers: true }, { variables: {} });
  expect(batch.nodes[0]).toMatchObject({ name: format === 'ansible' ? 'shop1' : 'shop-1' });
});
