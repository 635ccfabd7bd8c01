import type { Firewall } from '@fenestra/platform';

/**
 * Linux has no one firewall that a program could tell: nftables, firewalld, ufw and network plugins all keep rules of
 * their own, and who has set one up knows what to let in.
 */
export function unmanagedFirewall(): Firewall {
  return {
    managed: false,
    state: async () => 'unknown',
    open: async () => undefined,
    close: async () => undefined,
  };
}
