import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { DialFailed } from './dial-failed.ts';
import { TLS_POLICY } from './tls-policy.ts';

/** Starts a connection to an address; never given a name. */
export type Connect = (address: string, port: number) => Socket;

export interface Endpoint {
  address: string;
  port: number;
  /** The name or the address that the certificate must have; nothing is secured when absent. */
  secureFor?: string;
}

/** Opens a connection whose peer, where it is secured, has shown the right certificate. */
export type OpenConnection = (endpoint: Endpoint, signal: AbortSignal) => Promise<Socket>;

/** Trusts the system's authorities and the extra ones, in PEM. */
export function createOpener(authorities?: string, connect: Connect = connectToAddress): OpenConnection {
  const secureContext = createSecureContext({
    ...TLS_POLICY,
    ...(authorities === undefined ? {} : { ca: [...getCACertificates('default'), authorities] }),
  });
  return async ({ address, port, secureFor }, signal) => {
    const socket = addAbortSignal(signal, connect(address, port));
    socket.on('error', () => {}); // an abort comes as one, at any time
    try {
      await connected(socket);
      return secureFor === undefined ? socket : await secure(socket, secureFor, secureContext);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

function connectToAddress(address: string, port: number): Socket {
  return connectTcp({ host: address, port, noDelay: true });
}

async function connected(socket: Socket): Promise<void> {
  try {
    await once(socket, 'connect');
  } catch {
    throw new DialFailed('unreachable');
  }
}

function secure(socket: Socket, host: string, secureContext: SecureContext): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new DialFailed('tls'));
    const secured = connectTls({
      socket,
      host,
      ...(isIP(host) > 0 ? {} : { servername: host }), // RFC 6066 3: no address as a server name
      secureContext,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    secured.once('secureConnect', () => resolve(secured));
    secured.on('error', fail).once('close', fail);
  });
}
