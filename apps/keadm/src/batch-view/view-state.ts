import { type BatchEvent, growingAccount, type RunAccount } from '@fenestra/fleet';
import { NO_RATES, type Rates, ratesAfter } from './rates.ts';

/** All that the picture is drawn from. */
export interface ViewState {
  readonly account: RunAccount;
  readonly rates: Rates;
}

/** A view that grows with each event. */
export interface GrowingView {
  readonly view: ViewState;
  add(event: BatchEvent): void;
  /** From now on there are these waves, whatever the events had announced. */
  plan(waves: readonly string[]): void;
}

/** What there is to see after these events. */
export function viewOf(events: Iterable<BatchEvent>): ViewState {
  const growing = growingView();
  for (const event of events) growing.add(event);
  return growing.view;
}

/** A view that nothing has been added to. */
export function growingView(): GrowingView {
  const growing = growingAccount();
  let rates = NO_RATES;
  let planned: readonly string[] | undefined;
  return {
    get view() {
      const { account } = growing;
      return { account: { ...account, waveNames: planned ?? account.waveNames }, rates };
    },
    add(event) {
      const before = 'node' in event ? growing.account.nodes.get(event.node) : undefined;
      rates = ratesAfter(rates, event, before);
      growing.add(event);
    },
    plan(waves) {
      planned = waves;
    },
  };
}
