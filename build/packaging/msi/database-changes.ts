import {
  JOIN_PROPERTIES,
  RESET_PROPERTY,
  TOKEN_PROPERTY,
} from '../../../apps/keadm/src/commands/installer/properties.ts';
import { numericVersion } from '../numeric-version.ts';
import { UPGRADE_CODE } from './wix-source.ts';

/** Right after the transaction has begun, so that a failure brings the earlier version back. */
const AFTER_INSTALL_INITIALIZE = 1501;
/** The properties that wixl has for what is installed already. */
const [NEWER, EARLIER] = ['WIX_DOWNGRADE_DETECTED', 'WIX_UPGRADE_DETECTED'];
/** The installer takes over which features there are; and versions up to this very one are removed. */
const UP_TO_THIS_ONE = 0x1 + 0x200;

/**
 * What wixl cannot express, as statements for the finished database. A release has the same three numbers as its
 * pre-releases, and takes their place. A token is not a property; should someone give one all the same it is refused, and
 * kept out of the log as far as that is up to a package.
 */
export function databaseChanges(version: string): readonly string[] {
  const secure = [NEWER, EARLIER, ...Object.keys(JOIN_PROPERTIES), TOKEN_PROPERTY, RESET_PROPERTY];
  const earlier = `'{${UPGRADE_CODE.toUpperCase()}}', '${numericVersion(version)}', ${UP_TO_THIS_ONE}, '${EARLIER}'`;
  return [
    `UPDATE \`Property\` SET \`Value\` = '${secure.join(';')}' WHERE \`Property\` = 'SecureCustomProperties'`,
    `INSERT INTO \`Property\` (\`Property\`, \`Value\`) VALUES ('MsiHiddenProperties', '${TOKEN_PROPERTY}')`,
    `DELETE FROM \`Upgrade\` WHERE \`ActionProperty\` = '${EARLIER}'`,
    `INSERT INTO \`Upgrade\` (\`UpgradeCode\`, \`VersionMax\`, \`Attributes\`, \`ActionProperty\`) VALUES (${earlier})`,
    `UPDATE \`InstallExecuteSequence\` SET \`Sequence\` = ${AFTER_INSTALL_INITIALIZE} WHERE \`Action\` = 'RemoveExistingProducts'`,
  ];
}
