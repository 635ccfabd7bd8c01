import { expect, test } from 'vitest';
import { IMAGE_PLATFORMS } from '../image/config.ts';
import { cloudbaseConf, cloudbaseUnattendConf, namesHostFirst } from './cloudbase.ts';

const folder = 'C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init';

test.each(IMAGE_PLATFORMS)('on %s the host name is set before user-data is processed', (platform) => {
  const conf = cloudbaseConf({ platform, folder });
  expect(namesHostFirst(conf)).toBe(true);
  expect(conf).toContain('UserDataPlugin\r\n');
});

test.each(IMAGE_PLATFORMS)(
  'on %s the run before the first start does not restart and does not process user-data',
  (platform) => {
    const conf = cloudbaseUnattendConf({ platform, folder });
    expect(conf).toContain('\r\nallow_reboot=false\r\n');
    expect(conf).not.toContain('UserDataPlugin');
  },
);

test('the log never holds user-data, which holds a token', () => {
  expect(cloudbaseConf({ platform: 'azure', folder })).toContain('\r\ndebug=false\r\n');
});

test('paths that are folders end with a backslash, as cloudbase-init wants them', () => {
  expect(cloudbaseConf({ platform: 'azure', folder })).toContain(`logdir=${folder}\\log\\\r\n`);
});

test('namesHostFirst sees the order that makes a node join under its old name', () => {
  expect(namesHostFirst('[DEFAULT]\nplugins=a.UserDataPlugin, b.SetHostNamePlugin\n')).toBe(false);
  expect(namesHostFirst('[DEFAULT]\nplugins=a.UserDataPlugin\n')).toBe(false);
  expect(namesHostFirst('[DEFAULT]\nplugins = b.SetHostNamePlugin,a.UserDataPlugin\r\n')).toBe(true);
});

test('on Azure a machine says that it is ready, which Azure waits for, and only once it is', () => {
  const report = 'metadata_report_provisioning_completed=true';
  expect(cloudbaseConf({ platform: 'azure', folder })).toContain(report);
  expect(cloudbaseUnattendConf({ platform: 'azure', folder })).not.toContain(report);
  expect(cloudbaseConf({ platform: 'vsphere', folder })).not.toContain(report);
});
