import { type Binaries, findDebianPackage } from '../debian-package.ts';

/** Debian's Postfix, installed or unpacked. */
export function findPostfix(): Binaries {
  if (process.getuid?.() !== 0) throw new Error('Postfix can be started by root only.');
  return findDebianPackage('postfix', 'usr/lib/postfix/sbin/master', ['usr/lib/postfix']);
}
