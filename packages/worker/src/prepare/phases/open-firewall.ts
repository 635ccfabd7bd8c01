import type { Phase } from '@fenestra/kernel';
import type { OpenFirewall } from '@fenestra/steps';
import type { PrepareFacts } from '../prepare-facts.ts';

/** The API server asks the kubelet for logs and shells, and comes from outside. */
export const openFirewall: Phase<PrepareFacts> = {
  id: 'open-firewall',
  title: 'Let the API server in',
  plan({ firewall }) {
    if (firewall === undefined) return [];
    const step: OpenFirewall = { kind: 'open-firewall', rule: firewall };
    return [step];
  },
};
