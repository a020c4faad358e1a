import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';

const PATH = '/.well-known/security.txt';
/** RFC 9116 §2.5.5: less than a year ahead. */
const GOOD_FOR_MS = 90 * 24 * 3600_000;

interface Deps {
  /** A mailto: or https: address of whoever runs this installation. */
  contact: string;
  publicUrl: string;
  clock: Clock;
}

/** Tells whoever finds a flaw whom to write to (RFC 9116). */
export function addSecurityContact(server: FastifyInstance, { contact, publicUrl, clock }: Deps): void {
  server.get(PATH, { schema: { hide: true }, config: { open: true } }, async (_request, reply) => {
    const expires = new Date(clock.now().getTime() + GOOD_FOR_MS).toISOString();
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, `Canonical: ${publicUrl}${PATH}`];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
