// A mail server that takes every message over TLS 1.3, remembers for whom, under which Message-ID and when, and throws it
// away. It does no more than that, so that it is not what a sender is measured by, unless it is told to take its time. Runs as a process of its own: prints
// its address and certificate as JSON; on SIGUSR2 it writes who got what, and the last message, into files.
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createSelfSigned } from '../src/platform/net/self-signed.ts';

const MESSAGE_ID = /^message-id: *<([^>]*)>/im;
const END = Buffer.from('\r\n.\r\n');
const [
  recordFile = '',
  lastFile = '',
  name = 'sink.bench.invalid',
  host = '127.0.0.1',
  wantedPort = '0',
  delayMs = '0',
] = process.argv.slice(2);

const { cert, key } = await createSelfSigned(name, new Date());
const secureContext = createSecureContext({ cert, key, minVersion: 'TLSv1.3' });
const received: string[] = [];
let handshakes = 0;
let last: Buffer = Buffer.alloc(0);

function converse(socket: Socket, isSecure: boolean): void {
  let rest: Buffer = Buffer.alloc(0);
  let inData = false;
  let recipients: string[] = [];
  const take = (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (inData) {
        const end = rest.indexOf(END);
        if (end === -1) return;
        const id = MESSAGE_ID.exec(rest.toString('latin1', 0, Math.min(end, 8_192)))?.[1] ?? '';
        const known = recipients;
        const taken = () => {
          for (const recipient of known) received.push(`${recipient} ${id} ${Date.now()}`);
          socket.write('250 2.0.0 Taken\r\n');
        };
        last = rest.subarray(0, end + END.length);
        rest = rest.subarray(end + END.length);
        inData = false;
        if (delayMs === '0') taken();
        else setTimeout(taken, Number(delayMs));
        continue;
      }
      const lineEnd = rest.indexOf('\r\n');
      if (lineEnd === -1) return;
      const line = rest.toString('latin1', 0, lineEnd);
      rest = rest.subarray(lineEnd + 2);
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO') {
        socket.write(
          isSecure ? `250-${name}\r\n250-PIPELINING\r\n250 8BITMIME\r\n` : `250-${name}\r\n250 STARTTLS\r\n`,
        );
      } else if (verb === 'STAR') {
        socket.off('data', take);
        socket.write('220 Go ahead\r\n');
        const secured = new TLSSocket(socket, { isServer: true, secureContext });
        secured.on('error', () => secured.destroy()).once('secure', () => (handshakes += 1));
        converse(secured, true);
        return;
      } else if (verb === 'MAIL') {
        recipients = [];
        socket.write('250 2.1.0 Go on\r\n');
      } else if (verb === 'RCPT') {
        recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
        socket.write('250 2.1.5 Known\r\n');
      } else if (verb === 'DATA') {
        inData = true;
        socket.write('354 Go ahead\r\n');
      } else if (verb === 'QUIT') {
        socket.end('221 Bye\r\n');
      } else socket.write('250 2.0.0 Fine\r\n');
    }
  };
  socket.on('data', take).on('error', () => socket.destroy());
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.write(`220 ${name} ESMTP\r\n`);
  converse(socket, false);
});
server.listen(Number(wantedPort), host, () => {
  const { port } = server.address() as { port: number };
  const target = { host, port, serverName: name, authorities: cert, heloName: 'bench.invalid' };
  process.stdout.write(`listening ${JSON.stringify(target)}\n`);
});
process.on('SIGUSR2', () => {
  writeFileSync(recordFile, received.join('\n'));
  writeFileSync(lastFile, last);
  process.stdout.write(`handshakes ${handshakes}\nrecorded ${received.length}\n`);
});
process.on('SIGTERM', () => process.exit(0));
