import { findDebianPackage } from './debian-package.ts';

const { root, libraries } = findDebianPackage('openssl', 'usr/bin/openssl');

/** Debian's OpenSSL, which knows nothing of ours. */
export const OPENSSL = `${root}/usr/bin/openssl`;

/** What it needs to run where it is not installed. */
export const OPENSSL_ENV =
  root === ''
    ? process.env
    : { ...process.env, LD_LIBRARY_PATH: libraries, OPENSSL_CONF: `${root}/etc/ssl/openssl.cnf` };
