// Sends one message again and again over some connections to a peer: what is left of sending when nothing is looked up,
// personalised, signed or written down. Arguments: peer as JSON, connections, messages, a file that holds the message.
import { readFileSync } from 'node:fs';
import { connectSecurely, type Target } from '../src/email/delivery/connect.ts';
import { sendMessage } from '../src/email/delivery/send.ts';

const [peer = '', connections = '', messages = '', file = ''] = process.argv.slice(2);
const data = readFileSync(file);
let left = Number(messages);
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    const channel = await connectSecurely(JSON.parse(peer) as Target);
    while (left > 0) {
      left -= 1;
      await sendMessage(channel, { returnPath: 'bounces@example.org', recipients: ['ann@example.com'], data });
    }
    channel.close();
  }),
);
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ seconds: (performance.now() - startedAt) / 1000, cpuMicros: user + system })}\n`,
);
