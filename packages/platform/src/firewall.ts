/** Traffic to let in. */
export interface FirewallRule {
  /** By which it is found again; ours all begin with `fenestra-`. */
  readonly name: string;
  readonly description: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** The system's own firewall. */
export interface Firewall {
  /** Whether there is one that is ours to tell. Where there is none, every method has nothing to do. */
  readonly managed: boolean;
  /** Whether the rule is in force; `unknown` where the system does not say. */
  state(rule: FirewallRule): Promise<'open' | 'closed' | 'unknown'>;
  /** Lets the traffic in; again is fine. */
  open(rule: FirewallRule): Promise<void>;
  /** Forgets the rule of this name; an absent one is fine. */
  close(name: string): Promise<void>;
}
