import { JOIN_PROPERTIES, RESET_PROPERTY, TOKEN_PROPERTY } from '../join-properties.ts';
import { PLACED_ACTION } from './wix-source.ts';

/** An action of the program: from an installed file, in the script, with the rights of the system. */
const RUN_PROGRAM = 18 + 0x400 + 0x800;
/** The log does not show what the action is called with. */
const HIDE_TARGET = 0x2000;
/** Right after the transaction has begun, so that a failure brings the earlier version back. */
const AFTER_INSTALL_INITIALIZE = 1501;
/** What wixl puts there for an upgrade. */
const UPGRADE_PROPERTIES = ['WIX_DOWNGRADE_DETECTED', 'WIX_UPGRADE_DETECTED'];

/** What wixl cannot express, as statements for the finished database. */
export function databaseChanges(): readonly string[] {
  const secure = [...UPGRADE_PROPERTIES, ...Object.keys(JOIN_PROPERTIES), TOKEN_PROPERTY, RESET_PROPERTY];
  return [
    `UPDATE \`Property\` SET \`Value\` = '${secure.join(';')}' WHERE \`Property\` = 'SecureCustomProperties'`,
    `INSERT INTO \`Property\` (\`Property\`, \`Value\`) VALUES ('MsiHiddenProperties', '${TOKEN_PROPERTY}')`,
    `UPDATE \`CustomAction\` SET \`Type\` = ${RUN_PROGRAM + HIDE_TARGET} WHERE \`Action\` = '${PLACED_ACTION}'`,
    `UPDATE \`InstallExecuteSequence\` SET \`Sequence\` = ${AFTER_INSTALL_INITIALIZE} WHERE \`Action\` = 'RemoveExistingProducts'`,
  ];
}
