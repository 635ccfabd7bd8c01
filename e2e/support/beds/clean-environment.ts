/** `env` and its arguments: a program put after them gets exactly these variables and nothing of ours. */
export function cleanEnvironment(env: Readonly<Record<string, string>>): readonly string[] {
  return ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
}
