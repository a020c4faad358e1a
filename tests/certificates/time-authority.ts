import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { OPENSSL, OPENSSL_ENV } from '../support/openssl.ts';
import { folderFor } from './certify.ts';

const CONFIG = `
[req]
distinguished_name = name
prompt = no
[name]
CN = Time of the tests
[root]
basicConstraints = critical, CA:true
subjectKeyIdentifier = hash
[leaf]
basicConstraints = CA:false
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = one
[one]
dir = .
serial = ./serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
`;

/** An authority for time, made with OpenSSL. */
export interface TimeAuthority {
  url: string;
  /** The requests that came. */
  readonly asked: number;
  /** What it answers from now on: a stamp, a refusal, or what is given. */
  answers(how: 'stamp' | 'refuse' | Buffer): void;
}

/** Starts an authority whose certificate another one has signed; tokens hold both. */
export function startTimeAuthority(t: TestContext): Promise<TimeAuthority> {
  const folder = folderFor(t);
  const openssl = (args: string) =>
    execFileSync(OPENSSL, args.split(' '), { cwd: folder, env: OPENSSL_ENV, stdio: 'pipe' });
  writeFileSync(join(folder, 'config'), CONFIG);
  writeFileSync(join(folder, 'serial'), '01');
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  openssl(`req -x509 ${key} -keyout root.key -out root.pem -days 30 -subj /CN=Root -config config -extensions root`);
  openssl(`req -new ${key} -keyout leaf.key -out leaf.csr -config config`);
  openssl(
    'x509 -req -in leaf.csr -CA root.pem -CAkey root.key -CAcreateserial -out leaf.pem -days 30 -extfile config -extensions leaf',
  );
  let how: 'stamp' | 'refuse' | Buffer = 'stamp';
  let asked = 0;
  const stamp = async (query: Buffer): Promise<Buffer> => {
    writeFileSync(join(folder, 'query'), query);
    const made = 'ts -reply -config config -section one -queryfile query -out reply';
    const by = '-inkey leaf.key -signer leaf.pem -chain root.pem';
    await promisify(execFile)(OPENSSL, `${made} ${by}`.split(' '), { cwd: folder, env: OPENSSL_ENV });
    return readFileSync(join(folder, 'reply'));
  };
  const server = createServer((request, reply) => {
    asked += 1;
    if (how === 'refuse') reply.writeHead(503).end();
    else if (how === 'stamp')
      void buffer(request)
        .then(stamp)
        .then((token) => reply.end(token));
    else reply.end(how);
  });
  t.after(() => server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stamp`,
        get asked() {
          return asked;
        },
        answers: (next) => void (how = next),
      });
    });
  });
}
