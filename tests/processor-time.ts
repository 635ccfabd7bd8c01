/** The processor time of this process in milliseconds. Unlike a clock, it does not count what other processes take. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
