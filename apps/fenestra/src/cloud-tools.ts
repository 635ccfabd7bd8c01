/** What talks to a cloud. It is heavy, so only commands that need it load it. */
export { cloudService, openCloudAdmin, openNodeCloud } from '@fenestra/lifecycle/cloud';
