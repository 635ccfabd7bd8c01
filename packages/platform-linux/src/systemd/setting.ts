/** One line of a unit file: a directive, or a remark for who reads it there. */
export type Setting = readonly [key: string, value: string | number] | string;

/** The line as it stands in the file. */
export function settingLine(setting: Setting): string {
  return typeof setting === 'string' ? `# ${setting}\n` : `${setting[0]}=${setting[1]}\n`;
}
