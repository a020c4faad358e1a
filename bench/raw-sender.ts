// Sends one message again and again over some connections to a peer: what is left of sending when nothing is looked up,
// personalised or written down, and nothing signed, or every message with RSA of 2,048 bits. Arguments: peer as JSON, connections,
// messages, a file that holds the message, and `signing` where it signs.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { clearForContent, connectSecurely, PATIENCE, type Target } from '../src/email/delivery/dialogue/connect.ts';
import { sendContent } from '../src/email/delivery/dialogue/send.ts';
import { createSigner } from '../src/email/delivery/writing/sign.ts';

const [peer = '', connections = '', messages = '', file = '', signing] = process.argv.slice(2);
const content = { kind: 'content', data: readFileSync(file) } as const;
const bodyAt = content.data.indexOf('\r\n\r\n') + 4;
const [headers, body] = [content.data.toString('latin1', 0, bodyAt), content.data.subarray(bodyAt)];
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const signer = createSigner({ domain: 'example.org', selector: 'bench', privateKey });
const envelope = { returnPath: 'bounces@example.org', recipients: ['ann@example.com'] };
let left = Number(messages);
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    const channel = await connectSecurely(JSON.parse(peer) as Target);
    const { chainTrusted: verified } = channel.facts.certificate;
    const cleared = clearForContent(channel, { verified, mayWaive: false }, false);
    if (cleared === null) throw new Error('the certificate of the peer does not verify');
    while (left > 0) {
      left -= 1;
      if (signing === 'signing') await signer.sign(headers, body);
      await sendContent(cleared, envelope, content, PATIENCE);
    }
    channel.close();
  }),
);
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ seconds: (performance.now() - startedAt) / 1000, cpuMicros: user + system })}\n`,
);
