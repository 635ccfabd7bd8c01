/** A value of the registry, in the form in which it is used. What is of another type is kept byte by byte. */
export type RegistryContent =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'other'; readonly code: number; readonly base64: string };

/** The registry below HKEY_LOCAL_MACHINE. Keys are written without that name: `SOFTWARE\Policies`. */
export interface SystemRegistry {
  /** `undefined` if there is no such key or value. */
  read(key: string, name: string): Promise<RegistryContent | undefined>;
  /** Stores the value, making the key where it is missing. */
  write(key: string, name: string, content: RegistryContent): Promise<void>;
  /** Forgets the value; an absent one is fine. */
  removeValue(key: string, name: string): Promise<void>;
  /** Of this key and those above it, the ones that are not there, the topmost first. */
  missingKeys(key: string): Promise<readonly string[]>;
  /** Forgets a key that has no others below it; an absent one is fine. */
  removeKey(key: string): Promise<void>;
}

/** The search path of the whole machine. Programs that run already keep theirs. */
export interface SearchPath {
  entries(): Promise<readonly string[]>;
  /** Adds a folder at the end; one that is there already is fine. */
  add(folder: string): Promise<void>;
  /** Takes a folder out; an absent one is fine. */
  remove(folder: string): Promise<void>;
}

/** The system's own installer. */
export interface PackageInstaller {
  /** Installs a package without asking anyone; says whether it is complete only after a restart. */
  install(file: string, properties: readonly string[], signal: AbortSignal): Promise<{ readonly restart: boolean }>;
  /** Takes off what the package has installed; one that is not installed is fine. */
  uninstall(file: string, signal: AbortSignal): Promise<void>;
  /** Switches a part of the system on; again is fine. */
  enableFeature(name: string, signal: AbortSignal): Promise<{ readonly restart: boolean }>;
  /** Switches it off again. */
  disableFeature(name: string, signal: AbortSignal): Promise<void>;
}

/** What a system keeps of itself besides files and services. Only Windows has all of it. */
export interface SystemSetup {
  readonly registry: SystemRegistry;
  readonly searchPath: SearchPath;
  readonly packages: PackageInstaller;
}
