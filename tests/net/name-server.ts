import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import type { TestContext } from 'node:test';

const A = 1;
const AAAA = 28;

/** A name server on 127.0.0.1 that gives the addresses of a name anew for every question, with a TTL of 0. */
export async function startNameServer(t: TestContext, addressesOf: (name: string) => string[]): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, peer) => {
    const { name, type, question } = questionOf(query);
    const found = addressesOf(name).filter((address) => type === (isIPv4(address) ? A : AAAA));
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    server.send(Buffer.concat([head, question, ...found.map((address) => answerOf(type, address))]), peer.port);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}

function questionOf(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

function answerOf(type: number, address: string): Buffer {
  const data = isIPv4(address) ? address.split('.').map(Number) : v6Bytes(address);
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]);
}

function v6Bytes(address: string): number[] {
  const [front = '', back = ''] = address.split('::');
  const [first, last] = [front, back].map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  const all = [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => Number.parseInt(group, 16));
  return all.flatMap((group) => [group >> 8, group & 0xff]);
}
