/** Reads from a server of this product. */
export interface ApiReader {
  json(path: string): Promise<unknown>;
  bytes(path: string): Promise<ReadableStream<Uint8Array>>;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Reads with a key from the server that whoever runs a command names: over https, unless it is on the same machine. */
export function createApiReader(server: string, key: string): ApiReader {
  const base = URL.parse(server);
  if (base === null || (base.protocol !== 'https:' && !(base.protocol === 'http:' && LOOPBACK.has(base.hostname)))) {
    throw new Error('the address of the server begins with https://');
  }
  async function read(path: string): Promise<Response> {
    const url = `${base?.href.replace(/\/$/, '')}${path}`;
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(url, { headers, redirect: 'error' }).catch(() => {
      throw new Error('the server cannot be reached');
    });
    if (!reply.ok) throw new Error(`the server answered ${reply.status} to GET ${path.replace(/\?.*/, '')}`);
    return reply;
  }
  return {
    json: async (path) => (await read(path)).json(),
    bytes: async (path) => (await read(path)).body ?? new Blob([]).stream(),
  };
}
