import { RESET_PROPERTY, TOKEN_PROPERTY } from '../../../apps/keadm/src/commands/installer/properties.ts';
import { joinWords } from '../join-properties.ts';
import { numericVersion } from '../numeric-version.ts';
import { stableUuid } from '../stable-uuid.ts';

/** What the package is about. */
export interface WixSource {
  readonly version: string;
  /** The folder that the program would put its addon in. */
  readonly addonFolder: string;
}

const REPORT = '[WindowsFolder]Temp\\fenestra-installer.log';
const TOKEN_REFUSED = 'Put the token into a file and give it with TOKEN_FILE: other users can read command lines.';

/** What all versions of the package have in common. */
export const UPGRADE_CODE = stableUuid('upgrade');
/** The action that runs the program that was put in place. */
const PLACED_ACTION = 'Placed';
/** The action that runs it for the last time. */
const LEAVING_ACTION = 'Leaving';

/**
 * The source that wixl makes the package from; what wixl cannot express is put in afterwards. The addon comes as a file,
 * although the program carries it as well, so that Windows removes it with the rest. Files are replaced whatever their
 * versions, because those are of the Node.js inside; no one is asked to stop the agent, which the program replaces; and the
 * machine is never restarted for the sake of a file that the agent still holds. The program joins at the first installation
 * alone: Windows repairs a package for anyone who asks, with the rights of the system and what they say.
 */
export function wixSource({ version, addonFolder }: WixSource): string {
  const placed = `installer placed --report "${REPORT}" -- ${joinWords((name) => `[${name}]`)}`;
  const leaving = `installer leaving --report "${REPORT}" -- "${RESET_PROPERTY}=[${RESET_PROPERTY}]"`;
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="${stableUuid('product', version)}" UpgradeCode="${UPGRADE_CODE}" Name="Fenestra"
      Version="${numericVersion(version)}" Manufacturer="Fenestra" Language="1033">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine" Comments="Fenestra ${version}"/>
    <MajorUpgrade DowngradeErrorMessage="A newer version of Fenestra is installed."/>
    <Condition Message="${TOKEN_REFUSED}">NOT ${TOKEN_PROPERTY}</Condition>
    <Media Id="1" Cabinet="fenestra.cab" EmbedCab="yes"/>
    <Property Id="ARPNOMODIFY" Value="1"/>
    <Property Id="MSIRESTARTMANAGERCONTROL" Value="Disable"/>
    <Property Id="REBOOT" Value="ReallySuppress"/>
    <Property Id="REINSTALLMODE" Value="amus"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="ProgramFiles64Folder">
        <Directory Id="INSTALLDIR" Name="Fenestra">
          <Component Id="Program" Guid="${stableUuid('program')}" Win64="yes">
            <File Id="keadm.exe" Source="keadm.exe" Name="keadm.exe" KeyPath="yes"/>
          </Component>
          <Directory Id="NATIVE" Name="native">
            <Directory Id="ADDON" Name="${addonFolder}">
              <Component Id="Addon" Guid="${stableUuid('addon', addonFolder)}" Win64="yes">
                <File Id="koffi.node" Source="koffi.node" Name="koffi.node" KeyPath="yes"/>
              </Component>
            </Directory>
          </Directory>
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="Fenestra" Level="1"><ComponentRef Id="Program"/><ComponentRef Id="Addon"/></Feature>
    <CustomAction Id="${PLACED_ACTION}" FileKey="keadm.exe" ExeCommand="${escape(placed)}" Execute="deferred" Impersonate="no" Return="check"/>
    <CustomAction Id="${LEAVING_ACTION}" FileKey="keadm.exe" ExeCommand="${escape(leaving)}" Execute="deferred" Impersonate="no" Return="check"/>
    <InstallExecuteSequence>
      <Custom Action="${LEAVING_ACTION}" Sequence="1700">REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE</Custom>
      <Custom Action="${PLACED_ACTION}" Sequence="5850">NOT Installed</Custom>
    </InstallExecuteSequence>
  </Product>
</Wix>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
