export { watchInstallation } from './watch-installation.ts';
