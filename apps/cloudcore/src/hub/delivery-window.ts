import { isNewerVersion } from '@fenestra/contracts';
import type { DeliveryWindow, Entry, Parcel } from './window-state.ts';

/** The fewest objects under way, however silent the node is: one that is stuck, and one that is not. */
const LEAST_SIZE = 2;

/** Takes in a version of an object, unless the one that is on its way is as new; returns whether it did. */
export function offer<P extends Parcel>(window: DeliveryWindow<P>, parcel: P, now: number): boolean {
  const entry = window.entries.get(parcel.key);
  if (entry === undefined) {
    const added = { wanted: parcel, sent: undefined, attempts: 0, sentAt: 0, dueAt: 0 };
    window.entries.set(parcel.key, added);
    window.fresh.add(added);
    return true;
  }
  if (!supersedes(parcel, entry.wanted)) return false;
  entry.wanted = parcel;
  // The node may have refused the old version only; the place for repetitions bounds how often this is tried.
  if (window.waiting.has(entry)) wait(window, entry, now);
  return true;
}

/** Gives the next version to send, if there is one and the node may have it now. */
export function take<P extends Parcel>(window: DeliveryWindow<P>, now: number): P | undefined {
  expire(window, now);
  if (window.flying.size >= allowed(window, now)) return undefined;
  const entry = next(window, now);
  return entry && launch(window, entry, now);
}

/** The node has taken what it was sent under this id; returns it, or nothing if it is no longer of interest. */
export function acknowledge<P extends Parcel>(window: DeliveryWindow<P>, id: string, now: number): P | undefined {
  const entry = received(window, id, now);
  if (entry === undefined) return undefined;
  const { sent } = entry;
  ground(window, entry);
  window.sentIds.delete(id);
  if (sent === entry.wanted) window.entries.delete(entry.wanted.key);
  else renew(window, entry);
  return sent;
}

/** The node could not take what it was sent under this id: it is repeated later, a newer version at once. */
export function refuse<P extends Parcel>(window: DeliveryWindow<P>, id: string, now: number): P | undefined {
  const entry = received(window, id, now);
  if (entry === undefined || !window.flying.has(entry)) return undefined;
  waitForRepetition(window, entry, now);
  return entry.sent;
}

/** Stops delivering an object. */
export function drop<P extends Parcel>(window: DeliveryWindow<P>, key: string): void {
  const entry = window.entries.get(key);
  if (entry === undefined) return;
  ground(window, entry);
  if (entry.sent !== undefined) window.sentIds.delete(entry.sent.id);
  window.entries.delete(key);
}

/** The node has a new connection: whatever was sent over the old one and not acknowledged is sent again. */
export function restart<P extends Parcel>(window: DeliveryWindow<P>): void {
  for (const entry of window.entries.values()) {
    ground(window, entry);
    entry.sent = undefined;
    renew(window, entry);
  }
  window.sentIds.clear();
  window.limit = window.options.size;
  window.unanswered = 0;
}

/** Whether everything has been acknowledged. */
export function isIdle(window: DeliveryWindow<Parcel>): boolean {
  return window.entries.size === 0;
}

function supersedes(candidate: Parcel, wanted: Parcel): boolean {
  if (wanted.deletes)
    return isNewerVersion(candidate.resourceVersion, wanted.resourceVersion) && wanted.resourceVersion !== '';
  return candidate.deletes || isNewerVersion(candidate.resourceVersion, wanted.resourceVersion);
}

/** Moves what got no answer in time out of the way of the others. */
function expire<P extends Parcel>(window: DeliveryWindow<P>, now: number): void {
  for (const entry of window.flying) {
    if (entry.dueAt > now) return;
    if (window.answeredAt < entry.sentAt) shrink(window, entry, now);
    waitForRepetition(window, entry, now);
  }
}

/** What was sent in one go is lost in one go, and shrinks the window once. */
function shrink<P extends Parcel>(window: DeliveryWindow<P>, { sentAt }: Entry<P>, now: number): void {
  if (sentAt <= window.shrunkAt) return;
  window.limit = Math.max(LEAST_SIZE, window.limit >> 1);
  window.shrunkAt = now;
}

/** A node that answers nothing gets little, so that its queue cannot run over in the meantime. */
function allowed<P extends Parcel>(window: DeliveryWindow<P>, now: number): number {
  if (!isSilent(window)) return window.limit;
  return now < window.sentAt + window.options.probeMs ? 0 : 1;
}

function isSilent<P extends Parcel>({ unanswered, options }: DeliveryWindow<P>): boolean {
  return unanswered >= options.unanswered;
}

/** A silent node may only be stuck with what it has, so it is probed with something else. */
function next<P extends Parcel>(window: DeliveryWindow<P>, now: number): Entry<P> | undefined {
  if (isSilent(window) && window.fresh.size > 0) return first(window.fresh);
  return dueRepetition(window, now) ?? first(window.fresh);
}

/** Repetitions have a quarter of the places, so that any number of stuck objects leaves room for the others. */
function dueRepetition<P extends Parcel>(window: DeliveryWindow<P>, now: number): Entry<P> | undefined {
  const places = Math.max(1, window.limit >> 2);
  if (now < window.retryAt || window.repeating >= places) return undefined;
  let earliest = Number.POSITIVE_INFINITY;
  for (const entry of window.waiting) {
    if (entry.dueAt <= now) return entry;
    earliest = Math.min(earliest, entry.dueAt);
  }
  window.retryAt = earliest;
  return undefined;
}

function first<T>(set: Set<T>): T | undefined {
  for (const one of set) return one;
  return undefined;
}

function launch<P extends Parcel>(window: DeliveryWindow<P>, entry: Entry<P>, now: number): P {
  ground(window, entry);
  if (entry.sent !== undefined) window.sentIds.delete(entry.sent.id);
  entry.sent = entry.wanted;
  window.sentIds.set(entry.wanted.id, entry);
  if (entry.attempts > 0) window.repeating += 1;
  entry.attempts += 1;
  entry.sentAt = now;
  entry.dueAt = now + window.options.answerMs;
  window.flying.add(entry);
  window.sentAt = now;
  window.unanswered += 1;
  return entry.wanted;
}

/** Any answer shows that the node works on what it is sent. */
function received<P extends Parcel>(window: DeliveryWindow<P>, id: string, now: number): Entry<P> | undefined {
  const entry = window.sentIds.get(id);
  if (entry === undefined) return undefined;
  window.answeredAt = now;
  window.unanswered = 0;
  window.limit = Math.min(window.options.size, window.limit + 2);
  return entry;
}

/** Takes an object out of its lane. */
function ground<P extends Parcel>(window: DeliveryWindow<P>, entry: Entry<P>): void {
  if (window.flying.delete(entry) && entry.attempts > 1) window.repeating -= 1;
  window.fresh.delete(entry);
  window.waiting.delete(entry);
}

/** A version that was never sent need not wait for the failures of the one before it. */
function waitForRepetition<P extends Parcel>(window: DeliveryWindow<P>, entry: Entry<P>, now: number): void {
  ground(window, entry);
  wait(window, entry, entry.sent === entry.wanted ? now + retryDelay(window, entry) : now);
}

function wait<P extends Parcel>(window: DeliveryWindow<P>, entry: Entry<P>, until: number): void {
  entry.dueAt = until;
  window.waiting.add(entry);
  window.retryAt = Math.min(window.retryAt, until);
}

function renew<P extends Parcel>(window: DeliveryWindow<P>, entry: Entry<P>): void {
  entry.sent = undefined;
  entry.attempts = 0;
  window.fresh.add(entry);
}

/** Between half and the whole of a time that doubles with every attempt. */
function retryDelay<P extends Parcel>({ options }: DeliveryWindow<P>, { attempts }: Entry<P>): number {
  const doubled = options.firstRetryMs * 2 ** (attempts - 1);
  return Math.min(options.longestRetryMs, doubled) * (0.5 + options.random() / 2);
}
