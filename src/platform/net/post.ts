import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DialFailed } from './dial-failed.ts';
import { replyOver } from './reply-over.ts';

export interface Post {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface PostReply {
  status: number;
  /** Seconds or a date (RFC 9110 10.2.3); null where the peer sent anything else. */
  retryAfter: string | null;
}

const LARGEST_BODY = 64 * 1024;
const SECONDS_OR_DATE = /^(?:\d{1,20}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

/** Posts once over an open connection, ends the connection and keeps nothing of the reply but its status. */
export async function postOver(socket: Socket, post: Post): Promise<PostReply> {
  try {
    const reply = await replyOver(socket, { method: 'POST', ...post });
    await drain(reply);
    return { status: reply.statusCode as number, retryAfter: retryAfterOf(reply) };
  } catch {
    throw new DialFailed('broken');
  } finally {
    socket.destroy();
  }
}

/** Reads a body to its end or to the limit, so that a peer may finish but not go on for ever. */
async function drain(reply: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of reply) {
    bytes += (chunk as Buffer).length;
    if (bytes > LARGEST_BODY) return;
  }
}

function retryAfterOf({ headers }: IncomingMessage): string | null {
  const value = headers['retry-after'];
  return value !== undefined && SECONDS_OR_DATE.test(value) ? value : null;
}
