import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Certificate } from '../../src/platform/net/self-signed.ts';
import { converse, type Handed, type Heard } from './conversation.ts';
import type { Issuer, Script } from './script.ts';

interface Place extends Issuer {
  /** Any address of 127.0.0.0/8. */
  address: string;
  /** 0 lets the system choose. */
  port: number;
}

/** A foreign mail server that does what its script says and keeps every byte that it hears. */
export interface Peer {
  name: string;
  address: string;
  port: number;
  /** What each connection brought, in order. */
  connections: Heard[];
  /** Connections that are still open. */
  open(): number;
  /** Every message that was handed over whole, whatever was said to it. */
  handed(): Handed[];
  /** Every message that was taken with a 250. */
  taken(): Handed[];
  /** All that came in clear, and all that came under TLS. */
  clear(): Buffer;
  secured(): Buffer;
  /** What it shows under TLS now. */
  certificate(): Certificate;
  /** Ends all connections and follows another script from the next one on. */
  follow(script: Script): Promise<void>;
}

/** Starts a peer; it ends with the test. */
export async function startPeer(t: TestContext, script: Script, place: Place): Promise<Peer> {
  const { name, address } = place;
  const connections: Heard[] = [];
  const sockets = new Set<Socket>();
  const settingOf = async (from: Script) => ({
    name,
    script: from,
    certificate: await (from.certificate ?? properly)(place),
  });
  let setting = await settingOf(script);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const heard: Heard = { clear: [], secured: [], tls: null, messages: [] };
    connections.push(heard);
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    void converse(socket, { ...setting, connections: connections.length }, heard);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(place.port, address, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const handed = () => connections.flatMap(({ messages }) => messages);
  return {
    name,
    address,
    port: (server.address() as { port: number }).port,
    connections,
    open: () => sockets.size,
    handed,
    taken: () => handed().filter(({ reply }) => reply?.startsWith('250') === true),
    clear: () => Buffer.concat(connections.flatMap(({ clear }) => clear)),
    secured: () => Buffer.concat(connections.flatMap(({ secured }) => secured)),
    certificate: () => setting.certificate,
    async follow(another) {
      setting = await settingOf(another);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The certificate of a host in good order. */
function properly({ authority, name }: Issuer) {
  return authority.issue({ names: [name] });
}
