import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';

/** A way to the app on which the first connection that brings a piece of a file breaks after so many bytes of it. */
export async function startDroppingProxy(t: TestContext, appUrl: string, dropAfter: number): Promise<string> {
  const { port, hostname } = new URL(appUrl);
  let passed = 0;
  const server = createServer((patient) => {
    const app = connect(Number(port), hostname);
    let isPiece = false;
    patient.on('data', (bytes: Buffer) => {
      isPiece ||= bytes.subarray(0, 6).toString('latin1') === 'PATCH ' && passed === 0;
      if (isPiece) passed += bytes.length;
      if (app.writable) app.write(bytes);
      if (!isPiece || passed <= dropAfter) return;
      patient.destroy();
      app.end();
    });
    app.on('data', (bytes) => patient.writable && patient.write(bytes));
    patient.on('end', () => app.end());
    app.on('end', () => patient.end());
    for (const one of [patient, app]) one.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
