// A mail server that takes every message over TLS and throws it away: what Postfix delivers to, as the product delivers to
// its sandbox. Runs as a process of its own and prints its port.
import { SMTPServer } from 'smtp-server';
import { createSelfSigned } from '../src/platform/net/self-signed.ts';

const server = new SMTPServer({
  ...(await createSelfSigned('sink.bench.invalid', new Date())),
  authOptional: true,
  disabledCommands: ['AUTH'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.resume().once('end', () => done());
  },
});
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.server.address() as { port: number };
  process.stdout.write(`listening ${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
