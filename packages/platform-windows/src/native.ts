import {
  bindEventCalls,
  type EventCalls,
  bindHostNetworking,
  type HostNetworkingCalls,
  bindNtdll,
  type Ntdll,
  bindUser32,
  type User32,
} from './bindings/other-libraries.ts';
import { bindRegistryCalls, type RegistryCalls } from './bindings/advapi32-registry.ts';
import { bindSecurityCalls, type SecurityCalls } from './bindings/advapi32-security.ts';
import { bindServiceCalls, type ServiceCalls } from './bindings/advapi32-services.ts';
import { bindKernel32, type Kernel32, systemFolder } from './bindings/kernel32.ts';
import { bindHostingCalls, type HostingCalls } from './bindings/service-hosting.ts';

/** Windows itself: the calls of its DLLs, by subject. Each subject is bound when it is first asked for. */
export interface Native {
  readonly services: ServiceCalls;
  readonly hosting: HostingCalls;
  readonly security: SecurityCalls;
  readonly registry: RegistryCalls;
  readonly events: EventCalls;
  readonly kernel32: Kernel32;
  readonly ntdll: Ntdll;
  readonly user32: User32;
  readonly hostNetworking: HostNetworkingCalls;
  /** Reads a string that ends with a zero from memory of the system. */
  readText(address: Pointer): string;
  /** Reads the address that is stored in a buffer. */
  readPointer(buffer: Buffer): Pointer | null;
}

/** Opens Windows through koffi. Made once, by the composition root, and passed to every adapter. */
export function openNative(koffi: Koffi): Native {
  const bound: { -readonly [Subject in keyof Native]?: Native[Subject] } = {};
  return {
    get services() {
      return (bound.services ??= bindServiceCalls(koffi));
    },
    get hosting() {
      return (bound.hosting ??= bindHostingCalls(koffi));
    },
    get security() {
      return (bound.security ??= bindSecurityCalls(koffi));
    },
    get registry() {
      return (bound.registry ??= bindRegistryCalls(koffi));
    },
    get events() {
      return (bound.events ??= bindEventCalls(koffi));
    },
    get kernel32() {
      return (bound.kernel32 ??= bindKernel32(koffi));
    },
    get ntdll() {
      return (bound.ntdll ??= bindNtdll(koffi));
    },
    get user32() {
      return (bound.user32 ??= bindUser32(koffi));
    },
    get hostNetworking() {
      return (bound.hostNetworking ??= bindHostNetworking(koffi, systemFolder(this.kernel32)));
    },
    readText: (address) => koffi.decode.string16(address),
    readPointer: (buffer) => koffi.decode(buffer, 'void *'),
  };
}

/** The part of koffi that the bindings use; the composition root loads the addon and passes it in. */
export type Koffi = Pick<
  typeof import('koffi'),
  'load' | 'struct' | 'pointer' | 'out' | 'inout' | 'array' | 'proto' | 'register' | 'alloc' | 'encode' | 'decode'
>;

/** An address or a handle of the system, as koffi passes it. */
export type Pointer = bigint;

/** A place for one value that a call fills in. */
export type Out<T> = [T];
