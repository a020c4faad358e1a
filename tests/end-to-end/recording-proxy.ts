import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';

/** What stands between a browser and the server, and keeps every byte that the browser sends. */
export interface RecordingProxy {
  url: string;
  sent(): Buffer;
}

export async function startRecordingProxy(t: TestContext, to: string): Promise<RecordingProxy> {
  const pieces: Buffer[] = [];
  const proxy = createServer((browser) => {
    const server = connect(Number(new URL(to).port), '127.0.0.1');
    browser.on('data', (piece) => void pieces.push(piece));
    browser.pipe(server).pipe(browser);
    for (const socket of [browser, server]) socket.on('error', () => [browser, server].map((each) => each.destroy()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, sent: () => Buffer.concat(pieces) };
}
